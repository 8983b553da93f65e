import { describe, expect, it } from 'vitest';
import { areAcrossScripts, isRomanised, otherScriptStarts, romanisedStarts } from './romanise.ts';

describe('a name in Latin letters', () => {
  it.each([
    ['김민수', 'Kim Minsu'],
    ['김민수', 'Minsu Kim'],
    ['김민수', 'Kim Min-su'],
    ['김민수', 'Gim Minsu'],
    ['김 민수', 'Kim Min Soo'],
    ['이서준', 'Lee Seojun'],
    ['박지영', 'Park Jiyoung'],
    ['최현우', 'Choi Hyunwoo'],
    ['정수진', 'Jung Sujin'],
    ['정수진', 'Soojin Chung'],
    ['Мария', 'Maria'],
    ['Мария', 'Mariya'],
    ['Дмитрий Толстой', 'Dmitry Tolstoy'],
    ['Дмитрий Толстой', 'Dmitri Tolstoi'],
    ['Юрий Щербаков', 'Yuri Shcherbakov'],
    ['Антон Чехов', 'Anton Chekhov'],
    ['Екатерина', 'Ekaterina'],
    ['Екатерина', 'Yekaterina'],
    ['Наталья', 'Natalya'],
    ['北京', 'Beijing'],
    ['上海', 'Shanghai'],
    ['王小明', 'Wang Xiaoming'],
    ['王小明', 'Xiaoming Wang'],
    ['李明', 'Li Ming'],
    ['タナカ・ケンジ', 'Tanaka Kenji'],
    ['さくら', 'Sakura'],
    ['Νίκος', 'Nikos'],
    ['Παπαδόπουλος', 'Papadopoulos'],
  ])('%s may be %s', (other, latin) => {
    expect(isRomanised(other, latin)).toBe(true);
    expect(areAcrossScripts(other, latin)).toBe(true);
  });

  it.each([
    ['김민수', 'Kim Minji'],
    ['김민수', 'Lee Minsu'],
    ['김민수', 'Kim'],
    ['김민수', 'Minsu'],
    ['Мария', 'Marina'],
    ['Мария', 'Mark'],
    ['Иван', 'Ivanov'],
    ['Антон', 'Anton Chekhov'],
    ['北京', 'Nanjing'],
    ['王小明', 'Wang Xiaohong'],
    ['李明', 'Li Na'],
    ['東京', 'Tokyo'],
    ['タナカ', 'Nakata'],
    ['山', 'Shan'],
    ['Νίκος', 'Nina'],
    ['', 'Maria'],
    ['🙂', 'Smile'],
  ])('%s is not %s', (other, latin) => {
    expect(isRomanised(other, latin)).toBe(false);
  });

  it('is looked for by its beginnings', () => {
    expect(romanisedStarts('김민수')).toEqual(expect.arrayContaining(['gim', 'kim', 'min']));
    expect(romanisedStarts('Дмитрий Толстой')).toEqual(['dmitriy', 'tolstoy']);
    expect(romanisedStarts('Kim')).toEqual([]);
    expect(otherScriptStarts('Minsu Kim')).toContain('김');
    expect(otherScriptStarts('Wang Xiaoming')).toContain('王');
    expect(otherScriptStarts('Dmitry Tolstoy')).toContain('д');
    expect(otherScriptStarts('김민수')).toEqual([]);
  });

  it.each([
    ['Maria', 'Mariya'],
    ['Мария', 'Дмитрий'],
    ['Maria Мария', 'Maria'],
  ])('%s and %s are no pair of two scripts', (first, second) => {
    expect(areAcrossScripts(first, second)).toBe(false);
  });
});
