/** First-level regions of China with their capitals and the cities of their rank, and the special municipalities of Taiwan; simplified. */
const CHINESE = new Set(
  `北京 上海 天津 重庆 香港 澳门 台湾 河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 海南 四川 贵州 云南 陕西 甘肃 青海 内蒙古 广西 西藏 宁夏
  新疆 石家庄 太原 沈阳 长春 哈尔滨 南京 杭州 合肥 福州 南昌 济南 郑州 武汉 长沙 广州 海口 成都 贵阳 昆明 西安 兰州 西宁 呼和浩特 南宁 拉萨 银川 乌鲁木齐 深圳 大连 青岛 宁波
  厦门 台北 新北 桃园 台中 台南 高雄`
    .trim()
    .split(/\s+/),
);
const CHINESE_FORM = /\p{Script=Han}(?:[市省县区镇村州岛]|自治区)$/u;
/** First level of Korea: "서울", "경기도"; and what is one by its form. */
const KOREAN =
  /^(?:서울|부산|대구|인천|광주|대전|울산|세종|경기|강원|충북|충남|전북|전남|경북|경남|제주)(?:도|시|특별시|광역시)?$|\p{Script=Hangul}{2}(?:도|시|군|구)$/u;

const countries = new Map<string, ReadonlySet<string>>();

/** Whether the name is that of a region or country by its form or by what the runtime knows: what one may work in, and not for. */
export function isKoreanRegion(name: string): boolean {
  return KOREAN.test(name) || countriesIn('ko').has(name);
}

/** @param name in simplified characters */
export function isChineseRegion(name: string): boolean {
  return CHINESE.has(name) || CHINESE_FORM.test(name) || countriesIn('zh-Hans').has(name);
}

function countriesIn(locale: string): ReadonlySet<string> {
  let known = countries.get(locale);
  if (known === undefined) {
    const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    known = new Set(letters.flatMap((first) => letters.map((second) => names.of(first + second) ?? '')));
    countries.set(locale, known);
  }
  return known;
}
