/** Traditional characters of the words below, each with its simplified one: rules are matched on the latter, names are taken as they stand. */
const TRADITIONAL = `
  從从 離离 開开 職职 換换 辭辞 歡欢 愛爱 顏颜 號号 電电 話话 狀状 態态 個个 們们 媽妈 爺爷 現现 來来 過过 還还 遷迁 僱雇 時时 間间 後后 嗎吗 為为 變变 級级 會会 應应
  該该 許许 當当 說说 聽听 兒儿 師师 學学 習习 養养 買买 賣卖 煙烟 討讨 厭厌 這这 裡里 裏里 週周 對对 錯错 糾纠 語语 讀读 講讲 寫写 結结 樓楼 層层 門门 際际 數数 點点
  輛辆 條条 隻只 隊队 書书 運运 動动 樂乐 國国 計计 劃划 準准 備备 幾几 預预 價价 機机 優优 總总 經经 剛刚 臺台 實实 於于 沒没 誤误 親亲 閨闺 碼码 郵邮 發发 誰谁 麼么
  並并 與与 將将 單单 記记 業业 長长 員员 龍龙 灣湾 東东 廣广 島岛 縣县 鄉乡 鎮镇 舊旧 囉啰 認认 萬万 彈弹 飲饮 喫吃 車车 麵面 銀银 貴贵 雲云 陝陕 蘇苏 遼辽 蘭兰 爾尔
  濱滨 瀋沈 漢汉 慶庆 寧宁 廈厦 濟济 鄭郑 烏乌 魯鲁 齊齐 薩萨 莊庄 區区 陽阳 圖图 館馆 廳厅 團团 獨独 遠远 線线 專专 續续 瘋疯 靜静 體体 資资 齡龄 戶户 筆笔 處处 頭头
  熱热 願愿`;
const SIMPLIFIED = new Map(
  TRADITIONAL.trim()
    .split(/\s+/)
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

/** Character by character, so that places in both texts are the same. */
export function simplified(text: string): string {
  return [...text].map((character) => SIMPLIFIED.get(character) ?? character).join('');
}

/** Kinds of favourites and attributes, so that one told in Chinese and one told in English are the same. Others keep their own word. */
export const KIND = pairs(
  '颜色=colour, 食物=food, 菜=dish, 水果=fruit, 电影=movie, 书=book, 歌=song, 音乐=music, 歌手=singer, 演员=actor, 季节=season, 动物=animal, 运动=sport, 饮料=drink, 城市=city, 国家=country, 语言=language, 球队=team, 游戏=game, 科目=subject, 花=flower, 数字=number, 咖啡=coffee, 茶=tea, 作家=author, 编辑器=editor',
);
export const ATTRIBUTE = pairs(
  '状态=status, 版本=version, 版本号=version, 年龄=age, 尺寸=size, 大小=size, 预算=budget, 截止日期=deadline, 截止日=deadline, 期限=deadline, 价格=price, 电话号码=phone number, 手机号码=phone number, 手机号=phone number, 电话=phone number, 邮箱=email, 电子邮件=email, 地址=address, 生日=birthday, 名字=name, 颜色=colour, 体重=weight, 身高=height, 工资=salary, 薪水=salary, 优先级=priority, 密码=password, 用户名=username, 职业=job, 职位=position, 时区=time zone',
);

function pairs(list: string): ReadonlyMap<string, string> {
  return new Map(list.split(', ').map((pair) => pair.split('=') as [string, string]));
}

export const KIN =
  '(?:妈妈|妈|母亲|爸爸|爸|父亲|父母|爷爷|奶奶|外公|外婆|姥姥|姥爷|哥哥|哥|姐姐|姐|弟弟|弟|妹妹|妹|儿子|女儿|孩子|丈夫|老公|先生|妻子|老婆|太太|男朋友|女朋友|男友|女友|朋友|闺蜜|叔叔|阿姨|姑姑|舅舅|表哥|表姐|表弟|表妹|堂哥|堂弟|侄子|侄女|同事|老板|老师|同学|室友|邻居|领导|上司)';
/** Words before the verb that say when and how, not what. */
export const ADVERB =
  '(?:现在|目前|如今|已经|刚刚|刚|终于|最终|最后|后来|又|正在|正|一直|还是|还|就|都|也|真的|其实|最近|近来|昨天|前天|今天|今早|去年|前年|今年|上周|上星期|上个星期|上个月|上月|这个月|这周|上周[一二三四五六日天]|[去今前]年[\\d一二三四五六七八九十]+月(?:份)?|(?:\\d{4}年)?[\\d一二三四五六七八九十]+月(?:份|[\\d一二三四五六七八九十]+[日号])?|\\d{4}年|[\\d一二两三四五六七八九十半几]+(?:天|周|个星期|个月|年)(?:之?前)|不久前|前不久|从[^，]{1,6}起|从现在起|以后|今后|每天|每周|每年|每晚|每早|经常|常常|平时|天天|总是|一个人|独自|和家人|跟家人|和家人一起|全家|一家人|一起|主要|非常|很|特别|十分|最|挺|超级|超|比较|正式|,|\\s)';
export const BEFORE =
  '(?:所以|因为|因此|而且|但是|但|不过|可是|然后|于是|并且|并|对了|嗯|哦|啊|是的|对|你好|大家好|顺便说一下|说实话|实际上|其实|,|\\s)';
export const FORMERLY = '(?:以前|之前|曾经|曾|过去|从前|原来|原先|本来|小时候)';
export const NO_LONGER = '(?:不再|再也不|已经不|早就不|现在不|如今不|从此不|以后不)';

/** What a statement may not hold: doubt, a condition, a near miss, a wish, a plan, hearsay, a question, a story. */
export const UNCERTAIN =
  /[?？]|(?:小说|电影|游戏|故事|漫画|动画|电视剧)(?:里|中)|吗|什么|哪|谁|怎么|为何|多少|几点|是不是|有没有|要不要|会不会|如果|要是|假如|假设|倘若|万一|的话|除非|可能|也许|或许|大概|差点|差一点|险些|几乎|好像|似乎|应该|想|希望|打算|计划|准备|考虑|愿意|但愿|梦|听说|据说|传闻|(?<!会)说(?!.{1,4}[语话文])|觉得|认为|猜|假装|开玩笑|(?<![社学])会(?!议|计|员|说|讲|弹)|将(?!来)|快要|就要|即将|明年|明天|下周|下个?月|一旦|本来要|没有?搬|不是.{0,8}(?:搬|住)/u;

/** Dwellings, directions and the like, behind which no name stands. */
export const NO_PLACE =
  /^.$|^(?:[一两三四五六七八九十几](?:个|间|套|楼|层|座|栋|家|处|片|条)|[新旧](?:房|家|公寓|地方|住处|城市|环境)|老家|自己|外面|楼|[这那](?:里|儿|个|边|座)|哪|某|乡下|城里|国外|海外|外地|同一)|的|[又再搬]|(?:附近|旁边|隔壁|对面|[楼层室]|宿舍|公寓|房子?|别墅|学校|公司|酒店|农村|郊区|校园|世界|时代|房间|校外|家里|家|小区|宾馆|单位|部门|团队|[心梦]里|海边)$/u;
/** Where or how one works without working for it. */
export const NO_EMPLOYER =
  /^.$|^(?:[一两三四五六七八九十几](?:个|间|家|处)|[这那](?:里|儿|个|边|家)|哪|某|家|国外|海外|外地|外面|自己)|的|(?:家里?|办公室|公司|附近|咖啡[馆厅店]|图书馆|单位|线上|远程|努力|认真|加班|拼命|辛苦|辛勤|专心|埋头|继续|疯狂|安静|熬夜|兼职|全职|独立|白天|晚上|夜里|早上|周末|[上下]午|车间|工地)$/u;
