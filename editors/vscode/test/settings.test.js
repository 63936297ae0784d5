// The extension's own code, under node's test runner: `npm test`.
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');

const { commandOf, needsRestart, otherCompilers, serverSettings } = require('../out/settings.js');

const having = (settings) => (name, otherwise) => (name in settings ? settings[name] : otherwise);
const none = () => false;

test('the program and its options', () => {
  assert.deepStrictEqual(commandOf(having({})), { command: 'smem-lint', args: ['lsp'] });
  assert.deepStrictEqual(commandOf(having({ path: ' ', arguments: ['-p', 'build'] })), { command: 'smem-lint', args: ['lsp', '-p', 'build'] });
  assert.strictEqual(commandOf(having({ path: '/opt/smem-lint' })).command, '/opt/smem-lint');
});

test("another extension's errors are not shown twice", () => {
  assert.strictEqual(serverSettings(having({}), none).compilerErrors, true);
  for (const other of otherCompilers) {
    assert.strictEqual(serverSettings(having({}), (id) => id === other).compilerErrors, false);
  }
  assert.strictEqual(serverSettings(having({ compilerErrors: 'on' }), () => true).compilerErrors, true);
  assert.strictEqual(serverSettings(having({ compilerErrors: 'off' }), none).compilerErrors, false);
});

test('defaults are those that package.json documents', () => {
  const properties = JSON.parse(fs.readFileSync(path.join(__dirname, '../package.json'), 'utf8')).contributes.configuration.properties;
  const settings = serverSettings(having({}), none);
  for (const [name, value] of Object.entries(settings)) {
    const documented = properties[`smem-lint.${name}`].default;
    assert.strictEqual(name === 'compilerErrors' ? documented === 'auto' : documented === value, true, name);
  }
});

test('what needs another server', () => {
  assert.strictEqual(needsRestart((section) => section === 'smem-lint.path'), true);
  assert.strictEqual(needsRestart((section) => section === 'smem-lint.delay'), false);
});
