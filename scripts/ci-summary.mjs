// Adds up the outcome of both commands: ci-summary.mjs <results folder> <exit code of the check> <exit code of the tests>
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, checkStatus, testStatus] = process.argv.slice(2);
const read = (name) => (existsSync(join(folder, name)) ? JSON.parse(readFileSync(join(folder, name), 'utf8')) : undefined);
const check = read('check.json');
const tests = read('tests.json');

const rows = [
  outcome('npm run check', checkStatus, check?.passed, check?.failed),
  outcome('npm test', testStatus, tests?.numPassedTests, tests?.numFailedTests),
];
const passed = rows.reduce((sum, row) => sum + row.passed, 0);
const failed = rows.reduce((sum, row) => sum + row.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** A command that failed without a failure to count (set-up, build, a test file that does not load) counts as one. */
function outcome(command, status, passed = 0, failed = 0) {
  const total = status === '0' ? failed : Math.max(failed, 1);
  console.log(`${total === 0 ? 'PASS' : 'FAIL'}  ${command}: ${passed} passed, ${total} failed (exit code ${status})`);
  return { passed, failed: total };
}
