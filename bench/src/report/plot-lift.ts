import type { Report } from './write-report.ts';

const WIDTH = 640;
const HEIGHT = 300;
const MARGIN = { left: 40, right: 16, top: 48, bottom: 32 };
const BAR = 34;
const ROWS = { 'graph off': '#94a3b8', 'graph on': '#2563eb' } as const;

/** Recall@5 with the graph off and on, a pair of bars for each benchmark that was measured both ways, as SVG. */
export function plotLift({ tables }: Report, names: Readonly<Record<string, string>>): string {
  const groups = Object.entries(names).flatMap(([name, label]) => {
    const [off, on] = [tables.get(name)?.get('graph off')?.['@5'], tables.get(name)?.get('graph on')?.['@5']];
    return off === undefined || on === undefined ? [] : [{ label, bars: { 'graph off': off, 'graph on': on } }];
  });
  const y = (recall: number) => Math.round(HEIGHT - MARGIN.bottom - (recall / 100) * (HEIGHT - MARGIN.top - MARGIN.bottom));
  const width = (WIDTH - MARGIN.left - MARGIN.right) / Math.max(1, groups.length);
  const text = (left: number, top: number, content: string, more = '') =>
    `<text x="${Math.round(left)}" y="${Math.round(top)}"${more}>${content}</text>`;
  const keys = Object.keys(ROWS) as (keyof typeof ROWS)[];
  const shapes = [
    text(MARGIN.left, 22, 'Recall among the first five, %', ' font-weight="600"'),
    ...keys.map((key, index) => text(WIDTH - MARGIN.right - 170 + index * 90, 22, key, ` fill="${ROWS[key]}" font-weight="600"`)),
    ...[0, 25, 50, 75, 100].flatMap((recall) => [
      `<path d="M${MARGIN.left} ${y(recall)}H${WIDTH - MARGIN.right}" stroke="#e2e8f0"/>`,
      text(MARGIN.left - 8, y(recall) + 4, String(recall), ' text-anchor="end"'),
    ]),
    ...groups.flatMap(({ label, bars }, index) => {
      const middle = MARGIN.left + width * (index + 0.5);
      return [
        ...keys.flatMap((key, place) => {
          const left = Math.round(middle + (place - 1) * (BAR + 2));
          return [
            `<rect x="${left}" y="${y(bars[key])}" width="${BAR}" height="${y(0) - y(bars[key])}" fill="${ROWS[key]}"/>`,
            text(left + BAR / 2, y(bars[key]) - 5, bars[key].toFixed(1), ' text-anchor="middle" font-size="11"'),
          ];
        }),
        text(middle, HEIGHT - 10, label, ' text-anchor="middle"'),
      ];
    }),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="ui-sans-serif, system-ui, sans-serif" font-size="13" fill="#0f172a">
<title>What the graph adds</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
${shapes.join('\n')}
</svg>
`;
}
