import { MemoryError } from '../errors.ts';
import { type Allocation, allocateBudget, type BudgetPlan, COMPONENTS, type Component, type ComponentBudget } from './allocate.ts';

/** The parts of a prompt that can be cut. */
export const ELASTIC = ['longTermMemory', 'conversationHistory', 'documents'] as const;
export type Elastic = (typeof ELASTIC)[number];

/** Shares out what the fixed parts leave. Where that is less than the least sizes of the elastic parts, those shrink alike; the others never. */
export function elasticBudgets(
  window: number,
  plan: BudgetPlan,
  fixed: number,
): {
  /** Allocations by what each part really needs; where a need is not known it may take all it is planned. */
  readonly allocate: (needs: Readonly<Partial<Record<Elastic, number>>>) => Allocation;
  readonly notes: readonly string[];
} {
  const notes: string[] = [];
  const own: BudgetPlan = Object.fromEntries(
    COMPONENTS.flatMap((component) => {
      const budget = plan[component];
      if (budget === undefined || component === 'systemPrompt' || component === 'toolDefinitions') return [];
      return [[component, typeof budget === 'object' && 'share' in budget ? Math.floor(budget.share * window) : budget]];
    }),
  );
  const left = window - fixed;
  const least = (component: Component) => {
    const budget = own[component];
    return typeof budget === 'number' ? budget : typeof budget === 'object' && 'min' in budget ? budget.min : 0;
  };
  const rigid = least('responseReserve') + least('safetyBuffer');
  if (left < rigid) throw tooSmall(window, fixed, { responseReserve: least('responseReserve'), safetyBuffer: least('safetyBuffer') });
  const allocate = (needs: Readonly<Partial<Record<Elastic, number>>>): Allocation => {
    const wanted = (component: Elastic) => Math.min(least(component), needs[component] ?? Number.POSITIVE_INFINITY);
    const elastic = ELASTIC.reduce((sum, component) => sum + wanted(component), 0);
    const scale = elastic === 0 ? 1 : Math.min(1, (left - rigid) / elastic);
    if (scale < 1 && notes.length === 0)
      notes.push('System prompt, tools and question leave less than memory, history and documents should have at least.');
    const shrunk: BudgetPlan = Object.fromEntries(
      ELASTIC.flatMap((component) => shrink(component, own[component], Math.floor(wanted(component) * scale))),
    );
    return allocateBudget({ window: left, plan: { ...own, ...shrunk }, needs });
  };
  return { allocate, notes };
}

/** @param historyTokens those of the history's system messages, which are never cut either; part of `needed` */
export function tooSmall(
  window: number,
  needed: number,
  rigid: Pick<Allocation, 'responseReserve' | 'safetyBuffer'>,
  historyTokens = 0,
): MemoryError {
  const parts =
    historyTokens === 0
      ? 'system prompt, tools and question'
      : `system prompt, tools, question and the system messages of the history (${historyTokens} tokens)`;
  return new MemoryError(
    'BUDGET_TOO_SMALL',
    `The window of ${window} tokens can't hold what is never cut: ${needed} tokens of ${parts}, ${rigid.responseReserve} for the answer and a buffer of ${rigid.safetyBuffer}. Shorten them, lower the reserve in plan, or take a larger window.`,
    { details: { window, needed: needed + rigid.responseReserve + rigid.safetyBuffer } },
  );
}

function shrink(component: Elastic, budget: ComponentBudget | undefined, least: number): [Elastic, ComponentBudget][] {
  if (budget === undefined) return [];
  if (typeof budget === 'number') return [[component, least]];
  return [[component, typeof budget === 'object' && 'min' in budget ? { ...budget, min: least } : budget]];
}
