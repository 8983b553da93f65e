const WIDTH = 640;
const HEIGHT = 360;
const MARGIN = { left: 56, right: 96, top: 44, bottom: 48 };
const COLOURS = ['#2563eb', '#ea580c', '#059669'];

/** Lines of recall over token budgets (a logarithmic axis), one a data set, as SVG. */
export function plotRecall(series: Readonly<Record<string, Readonly<Record<string, number>>>>): string {
  const points = Object.values(series).flatMap((row) => Object.entries(row).map(([budget, recall]) => ({ budget: Number(budget), recall })));
  const budgets = [...new Set(points.map((point) => point.budget))].sort((a, b) => a - b);
  const [least = 1, most = 2] = [budgets[0], budgets.at(-1)];
  const floor = Math.floor(Math.min(...points.map((point) => point.recall)) / 10) * 10;
  const x = (budget: number) => Math.round(MARGIN.left + (Math.log(budget / least) / Math.log(most / least)) * (WIDTH - MARGIN.left - MARGIN.right));
  const y = (recall: number) => Math.round(HEIGHT - MARGIN.bottom - ((recall - floor) / (100 - floor)) * (HEIGHT - MARGIN.top - MARGIN.bottom));
  const text = (left: number, top: number, content: string, more = '') => `<text x="${left}" y="${top}"${more}>${content}</text>`;
  const lines = [
    ...Array.from({ length: (100 - floor) / 10 + 1 }, (_, index) => floor + index * 10).flatMap((recall) => [
      `<path d="M${MARGIN.left} ${y(recall)}H${WIDTH - MARGIN.right}" stroke="#e2e8f0"/>`,
      text(MARGIN.left - 8, y(recall) + 4, String(recall), ' text-anchor="end"'),
    ]),
    ...budgets.map((budget) => text(x(budget), HEIGHT - MARGIN.bottom + 20, String(budget), ' text-anchor="middle"')),
    text(MARGIN.left, 24, 'Evidence in the packed text, %, by token budget', ' font-weight="600"'),
    text((MARGIN.left + WIDTH - MARGIN.right) / 2, HEIGHT - 8, 'tokens (o200k_base)', ' text-anchor="middle"'),
  ];
  for (const [index, [name, row]] of Object.entries(series).entries()) {
    const colour = COLOURS[index % COLOURS.length] ?? '#000000';
    const places = Object.entries(row).map(([budget, recall]) => [x(Number(budget)), y(recall)] as const);
    const last = places.at(-1) ?? [0, 0];
    lines.push(`<path d="M${places.map(([left, top]) => `${left} ${top}`).join('L')}" fill="none" stroke="${colour}" stroke-width="2.5"/>`);
    lines.push(...places.map(([left, top]) => `<circle cx="${left}" cy="${top}" r="3.5" fill="${colour}"/>`));
    lines.push(text(last[0] + 10, last[1] + 4, name, ` fill="${colour}" font-weight="600"`));
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="ui-sans-serif, system-ui, sans-serif" font-size="13" fill="#0f172a">
<title>Recall within token budgets</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
${lines.join('\n')}
</svg>
`;
}
