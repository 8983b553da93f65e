import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryError } from '../errors.ts';
import { type AllocationInput, allocateBudget, BUDGET_PRESETS, type BudgetPlan, COMPONENTS, type ComponentBudget } from './allocate.ts';

function failure(input: unknown): MemoryError {
  try {
    allocateBudget(input as AllocationInput);
  } catch (error) {
    if (MemoryError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

function sum(allocation: Readonly<Record<string, number>>): number {
  return Object.values(allocation).reduce((total, tokens) => total + tokens, 0);
}

describe('allocateBudget', () => {
  it('gives numbers and shares as they are, ranges what is left in order, and the rest the rest', () => {
    expect(
      allocateBudget({
        window: 1000,
        plan: {
          systemPrompt: 100,
          toolDefinitions: { share: 0.1 },
          longTermMemory: { min: 50, max: 300 },
          conversationHistory: { min: 100, max: 350 },
          documents: 'rest',
          responseReserve: { min: 100, max: 200 },
        },
      }),
    ).toEqual({
      systemPrompt: 100,
      toolDefinitions: 100,
      longTermMemory: 300,
      conversationHistory: 350,
      documents: 0,
      responseReserve: 150,
      safetyBuffer: 0,
    });
  });

  it('passes on what a component does not need', () => {
    const plan: BudgetPlan = { systemPrompt: { min: 100, max: 400 }, longTermMemory: { min: 100, max: 400 }, documents: 'rest' };
    expect(allocateBudget({ window: 600, plan, needs: { systemPrompt: 30 } })).toMatchObject({
      systemPrompt: 30,
      longTermMemory: 400,
      documents: 170,
    });
    expect(allocateBudget({ window: 600, plan, needs: { systemPrompt: 0, longTermMemory: 0 } })).toMatchObject({ documents: 600 });
  });

  it('shares the rest in equal parts, and hands on what one of them does not need', () => {
    expect(allocateBudget({ window: 101, plan: { documents: 'rest', conversationHistory: 'rest' } })).toMatchObject({
      conversationHistory: 50,
      documents: 51,
    });
    expect(allocateBudget({ window: 100, plan: { documents: 'rest', conversationHistory: 'rest' }, needs: { documents: 10 } })).toMatchObject({
      conversationHistory: 90,
      documents: 10,
    });
    expect(
      allocateBudget({ window: 100, plan: { documents: 'rest', conversationHistory: 'rest' }, needs: { conversationHistory: 10 } }),
    ).toMatchObject({ conversationHistory: 10, documents: 90 });
  });

  it.each(Object.entries(BUDGET_PRESETS))('preset %s fits its window and leaves a reserve and a buffer', (_name, { window, plan }) => {
    const allocation = allocateBudget({ window, plan });
    expect(sum(allocation)).toBe(window);
    for (const component of COMPONENTS.filter((name) => name !== 'documents')) expect(allocation[component]).toBeGreaterThan(0);
    expect(sum(allocateBudget({ window, plan, needs: { documents: 0 } }))).toBeLessThanOrEqual(window);
  });

  it('refuses a window that is too small, naming what is needed', () => {
    const error = failure({ window: 500, plan: { systemPrompt: 300, longTermMemory: { min: 250, max: 900 } } });
    expect(error).toMatchObject({ code: 'BUDGET_TOO_SMALL', details: { window: 500, needed: 550 } });
    expect(error.message).toContain('systemPrompt 300, longTermMemory 250');
    expect(
      allocateBudget({ window: 500, plan: { systemPrompt: 300, longTermMemory: { min: 250, max: 900 } }, needs: { systemPrompt: 200 } }),
    ).toMatchObject({ systemPrompt: 200, longTermMemory: 300 });
    expect(failure({ window: 8_192, plan: BUDGET_PRESETS['128k'].plan }).code).toBe('BUDGET_TOO_SMALL');
  });

  it.each([
    [{ window: -1, plan: {} }, 'window'],
    [{ window: 1.5, plan: {} }, 'window'],
    [{ window: Number.NaN, plan: {} }, 'window'],
    [{ window: Number.POSITIVE_INFINITY, plan: {} }, 'window'],
    [{ window: '100', plan: {} }, 'window'],
    [{ window: 100, plan: { documents: -1 } }, 'plan.documents'],
    [{ window: 100, plan: { documents: Number.NaN } }, 'plan.documents'],
    [{ window: 100, plan: { documents: Number.POSITIVE_INFINITY } }, 'plan.documents'],
    [{ window: 100, plan: { documents: { share: 2 } } }, 'plan.documents'],
    [{ window: 100, plan: { documents: { share: -0.1 } } }, 'plan.documents'],
    [{ window: 100, plan: { documents: { min: 5, max: 4 } } }, 'plan.documents'],
    [{ window: 100, plan: { documents: { min: 5, max: Number.POSITIVE_INFINITY } } }, 'plan.documents'],
    [{ window: 100, plan: { documents: { min: 5 } } }, 'plan.documents'],
    [{ window: 100, plan: { documents: {} } }, 'plan.documents'],
    [{ window: 100, plan: { documents: null } }, 'plan.documents'],
    [{ window: 100, plan: { documents: 'all' } }, 'plan.documents'],
    [{ window: 100, plan: { memory: 10 } }, 'memory'],
    [{ window: 100, plan: {}, needs: { history: 10 } }, 'history'],
    [{ window: 100, plan: {}, needs: { documents: Number.NaN } }, 'needs.documents'],
    [{ window: 100, plan: {}, needs: { documents: -1 } }, 'needs.documents'],
  ])('refuses %j, naming the option', (input, name) => {
    const error = failure(input);
    expect(error.code).toBe('INPUT_INVALID');
    expect(error.message).toContain(name);
  });

  it('never gives more than the window, a maximum or a need, and never less than a minimum', () => {
    const budget: fc.Arbitrary<ComponentBudget | undefined> = fc.oneof(
      fc.constant(undefined),
      fc.constant('rest' as const),
      fc.double({ min: 0, max: 300, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }).map((share) => ({ share })),
      fc.tuple(fc.nat(300), fc.nat(300)).map(([min, more]) => ({ min, max: min + more })),
    );
    const record = <T>(values: fc.Arbitrary<T | undefined>) =>
      fc
        .tuple(...COMPONENTS.map(() => values))
        .map((list) => Object.fromEntries(COMPONENTS.flatMap((name, i) => (list[i] === undefined ? [] : [[name, list[i]]]))));
    fc.assert(
      fc.property(fc.nat(2000), record(budget), record(fc.option(fc.nat(400), { nil: undefined })), (window, plan, needs) => {
        let allocation: Readonly<Record<string, number>>;
        try {
          allocation = allocateBudget({ window, plan, needs });
        } catch (error) {
          expect(error).toMatchObject({ code: 'BUDGET_TOO_SMALL' });
          return;
        }
        expect(sum(allocation)).toBeLessThanOrEqual(window);
        let couldUseMore = false;
        for (const name of COMPONENTS) {
          const given = allocation[name] ?? -1;
          const wanted: ComponentBudget | undefined = plan[name];
          const need = needs[name] ?? Number.POSITIVE_INFINITY;
          const [least, most] =
            wanted === undefined
              ? [0, 0]
              : wanted === 'rest'
                ? [0, window]
                : typeof wanted === 'number'
                  ? [wanted, wanted]
                  : 'share' in wanted
                    ? [wanted.share * window, wanted.share * window]
                    : [wanted.min, wanted.max];
          expect(Number.isInteger(given)).toBe(true);
          expect(given).toBeGreaterThanOrEqual(Math.floor(Math.min(least, need)));
          expect(given).toBeLessThanOrEqual(Math.min(most, need));
          couldUseMore ||= given < Math.floor(Math.min(most, need));
        }
        // Spare tokens go somewhere while anybody can use them.
        if (sum(allocation) < window) expect(couldUseMore).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });
});
