export type { DriverFactory, TestRunner } from './runner.ts';
