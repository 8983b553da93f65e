import { shown } from '../domain/shown.ts';
import { MemoryError } from '../errors.ts';
import { BUDGET_PRESETS, type BudgetPlan, COMPONENTS, type ComponentBudget, checkPlan } from './allocate.ts';

export type Preset = keyof typeof BUDGET_PRESETS;

/**
 * The plan for a window of any size: the largest preset that is not larger than the window (the smallest for a window below all of them),
 * its numbers scaled to the window.
 * @throws INPUT_INVALID for a window that is none
 */
export function planForWindow(window: number): BudgetPlan {
  checkWindow(window);
  const bySize = Object.values(BUDGET_PRESETS).sort((a, b) => a.window - b.window);
  const base = bySize.filter((preset) => preset.window <= window).at(-1) ?? bySize[0];
  if (base === undefined) return {};
  const scale = window / base.window;
  return Object.fromEntries(COMPONENTS.flatMap((component) => scaled(component, base.plan[component], scale)));
}

function checkWindow(window: number): void {
  if (!Number.isInteger(window) || window < 1)
    throw new MemoryError('INPUT_INVALID', `window must be a whole number of tokens, 1 or more; got ${shown(window)}.`);
}

function scaled(component: string, budget: ComponentBudget | undefined, scale: number): [string, ComponentBudget][] {
  if (budget === undefined) return [];
  if (typeof budget === 'number') return [[component, Math.floor(budget * scale)]];
  if (typeof budget === 'object' && 'max' in budget) {
    return [[component, { min: Math.floor(budget.min * scale), max: Math.floor(budget.max * scale) }]];
  }
  return [[component, budget]];
}

function presetOf(name: Preset): (typeof BUDGET_PRESETS)[Preset] {
  if (typeof name === 'string' && Object.hasOwn(BUDGET_PRESETS, name)) return BUDGET_PRESETS[name];
  throw new MemoryError('INPUT_INVALID', `There is no preset ${shown(name)}. Presets: ${Object.keys(BUDGET_PRESETS).join(', ')}.`);
}

/** @throws INPUT_INVALID for a preset that does not exist, or a window or a plan that is none */
export function windowPlan(options: { readonly window?: number; readonly preset?: Preset; readonly plan?: BudgetPlan }): {
  readonly window: number;
  readonly plan: BudgetPlan;
} {
  const preset = options.preset === undefined ? undefined : presetOf(options.preset);
  const window = options.window ?? preset?.window ?? BUDGET_PRESETS['128k'].window;
  checkWindow(window);
  if (options.plan !== undefined) checkPlan(options.plan);
  return { window, plan: options.plan ?? planForWindow(window) };
}
