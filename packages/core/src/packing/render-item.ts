import type { ContextItem, OmittedItem } from '../domain/context.ts';
import { cutText } from '../domain/cut-text.ts';
import type { Episode } from '../domain/episode.ts';
import { dayOf } from '../domain/fact.ts';
import { ROLES } from '../domain/message.ts';
import { localDay, localMinute } from '../domain/time.ts';
import type { Folded } from './folded.ts';

/** Stands at the end of a text that was cut to fit. */
export const CUT_MARK = ' […cut]';

/**
 * A line of the packed text: `[n] speaker: text`; its time stands in the heading above it. `text` stands in for the record's own where that
 * had to be shortened.
 */
export function renderLine({ item }: Folded, citation: number, text?: string): string {
  const speaker = speakerOf(item);
  const parts = [
    `[${citation}]`,
    ...remarks(item),
    ...(speaker === undefined ? [] : [`${singleSpaced(escapeText(speaker)).trim()}:`]),
    escapeText((text ?? textOf(item)).trim()),
  ];
  return `${parts.join(' ')}\n`;
}

/** The line above what was said together: the author's own day and time of the first of it, or the day of a fact. */
export function renderHeading({ item }: Folded): string {
  return `${localTime(item)}\n`;
}

const HOUR_LETTERS = '2024-03-01 18'.length;

/** What stands under one heading: turns of one hour, facts of one day. */
export function headingKey({ item }: Folded): string {
  return localTime(item).slice(0, HOUR_LETTERS);
}

/** Makes text safe inside the wrapper: it can neither close it (`<`) nor begin a line of its own, which a reader would take for an item. */
export function escapeText(text: string): string {
  return text.replaceAll('<', '&lt;').replace(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/g, '\n  ');
}

export function textOf(item: Folded['item']): string {
  return item.kind === 'episode' ? item.episode.content : item.fact.text;
}

const PREVIEW_LETTERS = 80;
/** Its beginning, where a text has more letters than a preview. */
const LONGER = new RegExp(`^(.{${PREVIEW_LETTERS - 1}})..`, 'su');

/** An item that is left out, with what a person needs to know it by. */
export function omit(item: Folded['item'], reason: OmittedItem['reason'], more: Pick<OmittedItem, 'tokens' | 'duplicateOf'> = {}): OmittedItem {
  const line = singleSpaced(textOf(item).slice(0, 4 * PREVIEW_LETTERS)).trim();
  const beginning = LONGER.exec(line)?.[1];
  const preview = beginning === undefined ? line : `${beginning}…`;
  return { id: item.id, kind: item.kind, reason, score: item.score, ...more, preview: preview.toWellFormed() };
}

/** Each run of white space as one space. The spaces that are single already, in most texts all, are not replaced: that takes four times as long. */
export function singleSpaced(text: string): string {
  return text.replace(/\s{2,}|[^\S ]/g, ' ');
}

/** Moment that places the item in time. */
export function timeOf(item: Folded['item']): string {
  return item.kind === 'episode' ? item.episode.at : dayOf(item.fact);
}

/** What a reader has to know beside the text; each in brackets. */
function remarks(item: Folded['item']): string[] {
  if (item.kind === 'fact') return item.fact.invalidAt === undefined ? [] : [`(until ${localDay(item.fact.invalidAt, item.told)})`];
  const { outdated } = item.episode;
  return outdated === undefined ? [] : [`(${outdated.inPart ? 'partly outdated' : 'outdated'} since ${localDay(outdated.since, item.episode)})`];
}

/** A fact stands for itself, save one that somebody else than the user stated: that must not pass for the user's own word. */
function speakerOf(item: Folded['item']): string | undefined {
  if (item.kind === 'fact') return item.fact.saidBy === 'user' ? undefined : item.fact.saidBy;
  return nameOf(item.episode) ?? (item.episode.kind === 'message' ? item.episode.role : placeOf(item.episode));
}

/** The speaker's name, unless it is one of the roles: nobody may pass for the assistant by a name. */
function nameOf({ speaker }: Episode): string | undefined {
  const name = speaker?.replaceAll(':', ' ').trim();
  return name === '' || ROLES.some((role) => role === name?.toLowerCase()) ? undefined : name;
}

/** It stands before each of its chunks. */
const MAX_TITLE_LETTERS = 200;
const LIKE_A_ROLE = new RegExp(`^\\s*(?:${ROLES.join('|')})\\s*(?::|$)`, 'i');

/** Where a chunk stands, since its own words seldom say what the chapter is about: `Manual, Pump B > Warranty`. Not like a role that speaks. */
function placeOf(episode: Episode): string | undefined {
  const { section } = episode.metadata;
  const document = titleOf(episode) ?? episode.sourceId;
  if (document === undefined) return undefined;
  const place = typeof section !== 'string' ? document : isBelow(section, document) ? section : `${document}, ${section}`;
  return LIKE_A_ROLE.test(place) ? `document ${place.trim()}` : place;
}

function titleOf({ kind, metadata }: Episode): string | undefined {
  const { title } = metadata;
  return kind === 'chunk' && typeof title === 'string' && title.trim() !== '' ? cutText(title.trim(), MAX_TITLE_LETTERS) : undefined;
}

/** The first heading of a text is often its title. */
function isBelow(section: string, title: string): boolean {
  return section === title || section.startsWith(`${title} > `);
}

function localTime(item: Folded['item']): string {
  return item.kind === 'episode' ? localMinute(item.episode) : localDay(timeOf(item), item.told);
}

export function contextItem({ item, facts, alsoStatedIn }: Folded, place: Pick<ContextItem, 'citation' | 'tokens' | 'shortened'>): ContextItem {
  const { id, score, channels, parts = {}, path } = item;
  const basics = { ...place, id, score, localTime: localTime(item), text: textOf(item), facts, channels, parts, path };
  if (item.kind === 'fact') {
    const { fact } = item;
    return {
      ...basics,
      kind: 'fact',
      ...(fact.validAt === undefined ? {} : { at: fact.validAt }),
      ...(fact.invalidAt === undefined ? {} : { until: fact.invalidAt }),
      role: fact.saidBy,
      metadata: fact.properties,
      evidence: [...new Set([...fact.evidence, ...alsoStatedIn])],
    };
  }
  const { episode } = item;
  return {
    ...basics,
    kind: 'episode',
    at: episode.at,
    ...(episode.outdated === undefined || episode.outdated.inPart ? {} : { until: episode.outdated.since }),
    ...(episode.outdated === undefined ? {} : { outdated: episode.outdated }),
    role: episode.role,
    ...(episode.speaker === undefined ? {} : { speaker: episode.speaker }),
    ...(episode.sessionId === undefined ? {} : { sessionId: episode.sessionId }),
    ...(episode.sourceId === undefined ? {} : { sourceId: episode.sourceId }),
    metadata: episode.metadata,
    evidence: [...new Set([episode.id, ...alsoStatedIn])],
  };
}
