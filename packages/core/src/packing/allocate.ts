import { z } from 'zod';
import { shown } from '../domain/shown.ts';
import { MemoryError } from '../errors.ts';

/** The parts of a model's context window, in the order in which spare tokens are handed on. */
export const COMPONENTS = [
  'systemPrompt',
  'toolDefinitions',
  'longTermMemory',
  'conversationHistory',
  'documents',
  'responseReserve',
  'safetyBuffer',
] as const;
export type Component = (typeof COMPONENTS)[number];

/** A fixed number of tokens, a share of the window (0 to 1), a range, or what the others leave. */
export type ComponentBudget = number | { readonly share: number } | { readonly min: number; readonly max: number } | 'rest';
export type BudgetPlan = Readonly<Partial<Record<Component, ComponentBudget>>>;
export type Allocation = Readonly<Record<Component, number>>;

const K = 1000;
const range = (min: number, max: number) => ({ min, max });

/** Plans by size of the window. The 128k plan is the model for the others; small windows give memory and history relatively more. */
export const BUDGET_PRESETS: Readonly<Record<'8k' | '32k' | '128k' | '200k' | '1M', { readonly window: number; readonly plan: BudgetPlan }>> = {
  '8k': { window: 8_192, plan: preset([400, 800], [300, 800], [800, 2 * K], [1500, 3 * K], [800, 1500], [300, 500]) },
  '32k': { window: 32_768, plan: preset([1 * K, 2 * K], [1 * K, 3 * K], [2 * K, 6 * K], [6 * K, 12 * K], [3 * K, 6 * K], [1500, 2500]) },
  '128k': { window: 128_000, plan: preset([2 * K, 4 * K], [3 * K, 8 * K], [5 * K, 15 * K], [20 * K, 50 * K], [8 * K, 16 * K], [5 * K, 10 * K]) },
  '200k': { window: 200_000, plan: preset([2 * K, 5 * K], [3 * K, 10 * K], [8 * K, 20 * K], [30 * K, 80 * K], [8 * K, 20 * K], [8 * K, 15 * K]) },
  '1M': {
    window: 1_000_000,
    plan: preset([2 * K, 8 * K], [3 * K, 15 * K], [20 * K, 60 * K], [100 * K, 300 * K], [16 * K, 40 * K], [30 * K, 50 * K]),
  },
};

type Pair = readonly [number, number];
function preset(
  systemPrompt: Pair,
  toolDefinitions: Pair,
  longTermMemory: Pair,
  conversationHistory: Pair,
  responseReserve: Pair,
  safetyBuffer: Pair,
): BudgetPlan {
  return {
    systemPrompt: range(...systemPrompt),
    toolDefinitions: range(...toolDefinitions),
    longTermMemory: range(...longTermMemory),
    conversationHistory: range(...conversationHistory),
    documents: 'rest',
    responseReserve: range(...responseReserve),
    safetyBuffer: range(...safetyBuffer),
  };
}

export interface AllocationInput {
  /** Tokens of the whole window. */
  readonly window: number;
  readonly plan: BudgetPlan;
  /** What a component really needs, where it is known: it gets no more than that, and its spare tokens pass on. */
  readonly needs?: Readonly<Partial<Record<Component, number>>>;
}

/**
 * Shares a window out among its components. Pure; the sum never exceeds the window.
 * Rule for spare tokens: every component first gets its minimum (ranges), number or share, capped by its need; what is left goes to the
 * ranges in the order of `COMPONENTS`, each up to its maximum or need, and all that still remains to the `rest` components in equal parts.
 * @throws BUDGET_TOO_SMALL when the minimums alone exceed the window, naming them; INPUT_INVALID for a plan or a need that is none
 */
export function allocateBudget(input: AllocationInput): Allocation {
  const { window, plan, needs = {} } = input;
  if (!Number.isInteger(window) || window < 0)
    throw new MemoryError('INPUT_INVALID', `window must be a whole number of tokens, 0 or more; got ${shown(window)}.`);
  const allocation = Object.fromEntries(COMPONENTS.map((component) => [component, 0])) as Record<Component, number>;
  checkPlan(plan);
  const unknown = Object.keys(needs).find((name) => !isComponent(name));
  if (unknown !== undefined) throw new MemoryError('INPUT_INVALID', `There is no component ${unknown}. Components: ${COMPONENTS.join(', ')}.`);
  for (const component of COMPONENTS) {
    const need = needs[component];
    if (need !== undefined && !(need >= 0)) throw new MemoryError('INPUT_INVALID', `needs.${component} must be a number of tokens, 0 or more.`);
  }
  const capped = (component: Component, tokens: number) =>
    Math.max(0, Math.min(Math.floor(tokens), Math.floor(needs[component] ?? Number.POSITIVE_INFINITY)));

  for (const component of COMPONENTS) allocation[component] = capped(component, minimum(plan[component], window));
  let left = window - total(allocation);
  if (left < 0) {
    const wanted = COMPONENTS.filter((component) => allocation[component] > 0).map((component) => `${component} ${allocation[component]}`);
    throw new MemoryError(
      'BUDGET_TOO_SMALL',
      `The window of ${window} tokens is smaller than the parts need at least (${wanted.join(', ')}). Lower a minimum or take a larger window.`,
      {
        details: { window, needed: total(allocation) },
      },
    );
  }
  for (const component of COMPONENTS) {
    const budget = plan[component];
    if (typeof budget !== 'object' || !('max' in budget)) continue;
    const gain = Math.min(left, Math.max(0, capped(component, budget.max) - allocation[component]));
    allocation[component] += gain;
    left -= gain;
  }
  // The smallest need first, so that what it leaves is shared by the others.
  const need = (component: Component) => needs[component] ?? Number.MAX_SAFE_INTEGER;
  const rest = COMPONENTS.filter((component) => plan[component] === 'rest').sort((a, b) => need(a) - need(b));
  for (const [index, component] of rest.entries()) {
    const part = capped(component, Math.floor(left / (rest.length - index)));
    allocation[component] = part;
    left -= part;
  }
  return allocation;
}

const componentBudget = z.union([
  z.number().min(0),
  z.strictObject({ share: z.number().min(0).max(1) }),
  z.strictObject({ min: z.number().min(0), max: z.number() }).refine(({ min, max }) => min <= max),
  z.literal('rest'),
]);

function minimum(budget: ComponentBudget | undefined, window: number): number {
  if (budget === undefined || budget === 'rest') return 0;
  return typeof budget === 'number' ? budget : 'share' in budget ? budget.share * window : budget.min;
}

/** @throws INPUT_INVALID naming the component whose budget is none */
export function checkPlan(plan: BudgetPlan): void {
  if (typeof plan !== 'object' || plan === null)
    throw new MemoryError(
      'INPUT_INVALID',
      `plan must be an object of budgets by component; got ${shown(plan)}. Components: ${COMPONENTS.join(', ')}.`,
    );
  for (const component of Object.keys(plan)) {
    if (!isComponent(component)) throw new MemoryError('INPUT_INVALID', `There is no component ${component}. Components: ${COMPONENTS.join(', ')}.`);
    const budget = plan[component];
    if (budget === undefined || componentBudget.safeParse(budget).success) continue;
    throw new MemoryError(
      'INPUT_INVALID',
      `plan.${component} must be a number of tokens, { share: 0 to 1 }, { min, max } with min <= max, or 'rest'.`,
    );
  }
}

function isComponent(name: string): name is Component {
  return (COMPONENTS as readonly string[]).includes(name);
}

function total(allocation: Allocation): number {
  return COMPONENTS.reduce((sum, component) => sum + allocation[component], 0);
}
