import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskSecrets } from './secrets.ts';

// Written in parts, so that no scanner of repositories takes this file for a leak.
const join = (...parts: string[]) => parts.join('');
const LETTERS = 'aB3dE5gH7jK9mN1pQ2sT4vW6yZ8bC0dF';

describe('maskSecrets', () => {
  it.each([
    ['access key', join('AKIA', 'IOSFODNN7EXAMPLQ').replaceAll('7', '2')],
    ['access key', join('sk-', 'proj-', LETTERS)],
    ['access key', join('sk-', 'ant-api03-', LETTERS, LETTERS)],
    ['access key', join('sk_', 'live_', LETTERS)],
    ['access key', join('AIza', 'SyA1234567890abcdefghijklmnopqrstuv')],
    ['token', join('ghp_', LETTERS, 'abcd')],
    ['token', join('github_', 'pat_', LETTERS)],
    ['token', join('glpat-', LETTERS)],
    ['token', join('xoxb-', '123456789012-', LETTERS)],
    ['token', join('npm_', LETTERS, 'abcd')],
    ['token', join('eyJhbGciOiJIUzI1NiJ9', '.', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', '.', LETTERS)],
    ['token', join('12345678:', LETTERS, 'abc')],
    ['card number', '4111 1111 1111 1111'],
    ['card number', '4111111111111111'],
    ['card number', '5555-5555-5555-4444'],
    ['card number', '3782 822463 10005'],
    ['card number', '6011111111111117'],
    ['private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\nAAAA\n-----END OPENSSH PRIVATE KEY-----'],
    ['private key', '-----BEGIN PRIVATE KEY-----\ncut off'],
  ])('takes out a %s, wherever it stands', (kind, secret) => {
    for (const [before, after] of [
      ['', ''],
      ['It is ', '.'],
      ['(', ')'],
      ['내 것은 ', '입니다'],
      ['"', '"'],
      ['a\n', '\nb'],
    ] as const) {
      if (kind === 'private key' && !secret.includes('END') && after !== '') continue;
      const { text, found } = maskSecrets(before + secret + after);
      expect([text, found]).toEqual([`${before}[masked ${kind}]${after}`, [kind]]);
      expect(maskSecrets(text)).toEqual({ text, found: [] });
    }
  });

  it.each([
    ['my password is hunter2', 'my password is [masked password]'],
    ['Password: "Tr0ub4dor&3" ok', 'Password: "[masked password]" ok'],
    ['pwd=s3cr3t!', 'pwd=[masked password]'],
    ['비밀번호는 abc123!@ 야', '비밀번호는 [masked password] 야'],
    ['密码：qwerty99', '密码：[masked password]'],
    ['https://bob:hunter2@example.org/x', 'https://bob:[masked password]@example.org/x'],
    ['postgres://app:p%40ss@db:5432/main', 'postgres://app:[masked password]@db:5432/main'],
    ['Authorization: Bearer abcdef0123456789abcdef', 'Authorization: Bearer [masked token]'],
    ['api_key = "9f8e7d6c5b4a39281706"', 'api_key = "[masked access key]"'],
    ['the token is 9f8e7d6c5b4a39281706', 'the token is [masked access key]'],
  ])('%j keeps what stands around it', (text, expected) => {
    expect(maskSecrets(text).text).toBe(expected);
  });

  it.each([
    'ISBN 978-0-306-40615-7 and 9780306406157',
    'order 1234567890123456, invoice 2024-0001-0002-0003',
    'Order 4111 1111 1111 1112',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b of the branch',
    '550e8400-e29b-41d4-a716-446655440000',
    'call +49 30 901820 or 010-1234-5678',
    'IMEI 490154203237518',
    'at 1700000000000 ms, that is 2023-11-14T22:13:20.000Z',
    '0000 0000 0000 0000',
    'my password is complicated, and I forgot my password.',
    'The password was changed on Monday.',
    'We spoke of tokens: 128000 of them, token by token.',
    'https://example.org:8443/path and git@github.com:tandem/memory.git',
    'mailto:bob@example.org, http://localhost:3000/@scope/name',
    'https://$USER:$PASSWORD@example.org',
    'the secret is to stir slowly',
    'sk-learn and task-oriented-dialogue-with-many-words are words',
    'π is 3.14159265358979323846',
    '1.4111111111111111',
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    'node_modules/@secretlint/core/lib/rule-preset-recommend.js',
    '[masked card number] and password: [masked password]',
    '',
  ])('leaves %j as it is', (text) => {
    expect(maskSecrets(text)).toEqual({ text, found: [] });
  });

  it('is done in one pass over any text', () => {
    assert(
      property(string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const once = maskSecrets(text).text;
        expect(maskSecrets(once).text).toBe(once);
      }),
    );
  });
});
