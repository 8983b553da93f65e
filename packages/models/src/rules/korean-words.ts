function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

function pairs(list: string): ReadonlyMap<string, string> {
  return new Map(list.split(',').map((pair) => pair.trim().split('=') as [string, string]));
}

export const AUTHOR = words('나 저 난 전 나는 저는 내가 제가 나도 저도 우리 우리는 우린 우리가 우리도 저희 저희는 저희가 저희도');
export const POSSESSIVE = words('내 제 우리 저희 나의 저의 우리의');
/** Somebody of whom nothing in the sentence tells who it is. */
export const PRONOUN = /^(?:그|그녀|걔|쟤|얘|걔네|그들|너|넌|네|당신|그분|그쪽|(?:그|이|저) ?(?:사람|친구|분))(?:은|는|이|가|도)?$/;
export const KIN = words(
  `엄마 어머니 아빠 아버지 부모님 할머니 할아버지 외할머니 외할아버지 형 누나 오빠 언니 동생 남동생 여동생 아들 딸 남편 아내 와이프 남자친구 여자친구 남친 여친
  친구 삼촌 이모 고모 사촌 조카 선배 후배 동료 상사 팀장 팀장님 사장님 선생님 장모님 시어머니 룸메이트 아이 애들`,
);
/** Say when or how, and name nothing. */
export const ADVERB = words(
  `지금 지금은 지금도 현재 현재는 오늘 오늘은 어제 어제는 그저께 그제 최근 최근에 최근에는 얼마 전에 며칠 방금 막 이미 벌써 드디어 마침내 결국 다시 또 계속 아직 아직도 여전히
  혼자 둘이 같이 함께 다 정말 진짜 아주 매우 너무 많이 꽤 그냥 사실 사실은 참고로 그래서 그리고 근데 그런데 하지만 그러나 그러다가 그 후 후에 뒤에 이후 이후로 이번 이번에 올해 올해는 작년
  작년에 작년에는 재작년 재작년에 지난 지난해 지난주 지난주에 지난달 지난달에 저번 저번주에 저번달에 봄에 여름에 가을에 겨울에 봄 여름 가을 겨울 주말에 아침에 저녁에 초에 말에 중순에
  안녕 안녕하세요 아 응 네 음 어 맞아 참 그럼 자 여러분 더 가장 제일 아니 아니야 아니요 아뇨 정정 정정하자면 정확히는 정식으로 바로 곧바로 완전히 아예 가족과 가족이랑 때문에`,
);
export const TIME =
  /^(?:(?:\d+|한|두|세|네|몇|[일이삼사오육칠팔구십]+)(?:년|월|일|주|주일|달|개월|시간?|살)(?:에|에는|엔|부터|째|쯤|동안|간)?|전|전에|전부터|\S+마다)$/;
/** "한 달 동안": what began and ended. */
export const PASSING = /^(?:\S*동안(?:만|은|에)?|잠깐|잠시|잠시동안|임시로)$/;
/** "밤에는 안 마셔" denies nothing of the day. */
export const OCCASION = /^(?:밤|낮|아침|저녁|점심|새벽|오전|오후|주말|평일|\S요일)(?:에|에는|엔|에만)$/;
export const NOW = words('이제 이제는 이젠 이제부터 요즘 요즘은 요새 요새는 앞으로 앞으로는');
export const ANY_MORE = words('더이상 더는 더이상은 다시는');
export const FORMERLY = words('예전에 예전에는 예전엔 옛날에 옛날에는 옛날엔 전에는 전엔 한때 한때는 과거에 과거에는 원래 원래는');

/** What a statement may not hold: doubt, a condition, a near miss, a wish, a question, everybody but oneself, a story. */
export const UNCERTAIN =
  /[?？]|(?:^|\s)[나저](?:만|는|를)? ?(?:빼고|말고|제외하고)|(?:소설|영화|드라마|게임|만화|웹툰|연극|이야기|동화)(?: ?속)?에서|어디|누구|누가|무엇|뭐|뭘|언제|왜(?= |$)|어느|어떤|몇 ?(?:시|살)|아마|어쩌면|거의|하마터면|혹시|만약|만일|뻔|것 ?같|거 ?같|듯|척|지도 ?(?:모|몰)|줄 ?알았|싶|바라|좋겠|꿈|상상|농담|소문|들었|(?:다|라|자|냐)고 |[가-힣](?:으면|다면|하면|되면|가면|오면|살면|려면)(?= |$)/u;

/** Dwellings, directions and the like, behind which no name stands: "새 아파트로 이사했어" names no home. */
export const NO_PLACE =
  /^(?:집|방|안|밖|옆|앞|뒤|위|아래|곳|데|속|꿈|층|섬|산|팀|저|그|이|새)$|(?:[새헌]집|아파트|빌라|원룸|투룸|오피스텔|주택|기숙사|하숙집|자취방|건물|동네|시골|도시|해외|외국|외지|타지|지방|근처|여기|거기|저기|이곳|그곳|회사|학교|사무실|직장|세상|시대|부서|[네의] ?집|쪽|숙소|호텔|층|하루|마을|본가|처가|친정|시댁)$/u;
/** Places where people work without working for them. */
export const NO_EMPLOYER = /^(?:집|밖|방|일|여기|거기|밤|낮|팀|해외|외국)$|(?:재택|거실|사무실|직장|회사|근처|카페|도서관)$/u;
export const OWN_JOB = words('회사 직장 일 다니던회사 직업 일자리');
export const SCHOOL = /(?:학교|대학원?|초등학교|중학교|고등학교|[가-힣]대)$/u;
/** Where one goes that is no employer: lessons, clubs, doctors, churches. */
export const NO_COMPANY =
  /(?:학원|원|장|관|실|과|교|당|절|터|클럽|모임|수업|강의|레슨|요가|필라테스|헬스|발레|수영|산책|여행|출장|시장|카페|집|회사|직장|알바|곳|데)$/u;
/** What one has one value of at a time, with the word that the English rules have for it. */
export const ATTRIBUTE = pairs(
  `상태=status, 버전=version, 나이=age, 크기=size, 사이즈=size, 예산=budget, 마감=deadline, 마감일=deadline, 기한=deadline, 가격=price, 전화번호=phone number,
  연락처=phone number, 핸드폰번호=phone number, 휴대폰번호=phone number, 이메일=email, 메일=email, 주소=address, 생일=birthday, 이름=name, 색=colour, 색깔=colour,
  몸무게=weight, 체중=weight, 연봉=salary, 월급=salary, 우선순위=priority, 비밀번호=password, 아이디=username, 직업=job, 직책=position, 직급=position, 직함=job title,
  거주지=residence, 사는곳=residence`,
);
/** Kinds of favourites, so that one told in Korean and one told in English are the same. Others keep their own word. */
export const KIND = pairs(
  `색=colour, 색깔=colour, 색상=colour, 음식=food, 요리=dish, 영화=movie, 책=book, 노래=song, 음악=music, 가수=singer, 배우=actor, 계절=season, 과일=fruit, 동물=animal,
  운동=sport, 스포츠=sport, 음료=drink, 도시=city, 나라=country, 언어=language, 팀=team, 게임=game, 과목=subject, 꽃=flower, 숫자=number, 커피=coffee, 차=tea, 작가=author, 에디터=editor`,
);
