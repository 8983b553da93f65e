import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

type Named = Record<string, SQLInputValue>;

/** A prepared statement that gives rows as arrays of their columns. */
export interface ArrayStatement {
  all(...parameters: SQLInputValue[]): SQLOutputValue[][];
  all(named: Named): SQLOutputValue[][];
  get(...parameters: SQLInputValue[]): SQLOutputValue[] | undefined;
}

/** Node before 22.16 has objects only, whose values stand in the order of the columns; there no two columns may have one name. */
export function arraysOf(statement: StatementSync): ArrayStatement {
  if (typeof statement.setReturnArrays === 'function') {
    statement.setReturnArrays(true);
    return statement as unknown as ArrayStatement;
  }
  return {
    all: (...parameters: [Named] | SQLInputValue[]) => statement.all(...(parameters as SQLInputValue[])).map((row) => Object.values(row)),
    get: (...parameters) => {
      const row = statement.get(...parameters);
      return row === undefined ? undefined : Object.values(row);
    },
  };
}
