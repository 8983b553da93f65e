/** The test runner, passed in by the driver's own test file, so that the suites depend on none. Vitest's and Node's fit. */
export interface TestRunner {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void> | void): void;
}

/** How a suite gets fresh instances of the driver under test. */
export interface DriverFactory<Driver> {
  /** An empty, opened driver. */
  create(): Promise<Driver>;
  /** Closes the driver and opens its stored data again. Undefined for drivers that keep nothing. */
  reopen?(driver: Driver): Promise<Driver>;
  destroy(driver: Driver): Promise<void>;
}
