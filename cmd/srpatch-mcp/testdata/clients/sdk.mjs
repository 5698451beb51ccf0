// A client of the SDK for TypeScript drives the server: node sdk.mjs SERVER TREE. The SDK itself holds structured results to the schemas of the tools.
// The last line that it prints is "ok".
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [server, tree] = process.argv.slice(2);
const client = new Client({ name: 'foreign', version: '1' }, { capabilities: { roots: { listChanged: true } } });
let roots = [{ uri: pathToFileURL(tree).href, name: 'tree' }];
client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
await client.connect(new StdioClientTransport({ command: server, env: process.env }));

const { tools } = await client.listTools();
assert.deepEqual(tools.map((t) => t.name).sort(), ['apply', 'check', 'prompt', 'undo', 'why']);
assert.equal(tools.find((t) => t.name === 'check').annotations.readOnlyHint, true);

const call = (name, args = {}) => client.callTool({ name, arguments: args });
const block = (search, replace) => `f.txt\n<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`;
const text = () => readFileSync(join(tree, 'f.txt'), 'utf8');
const good = block('one\n', 'three\n');

let r = await call('check', { reply: good });
assert.equal(r.structuredContent.blocks[0].status, 'ready');
r = await call('apply', { reply: good + '\n' + block('two, as it never was\n', 'four\n') });
assert.ok(r.isError);
assert.equal(r.structuredContent.status, 'refused');
assert.equal(text(), 'one\ntwo\n');
r = await call('apply', { reply: block('two\n', 'four\n'), retry: true });
assert.ok(!r.isError, JSON.stringify(r));
assert.equal(text(), 'three\nfour\n');
r = await call('why', { reply: good, block: 1 });
assert.equal(r.structuredContent.version, 1);
r = await call('undo');
assert.equal(r.structuredContent.kind, 'undo');
assert.equal(text(), 'one\ntwo\n');
r = await call('prompt', { format: 'cline' });
assert.match(r.content[0].text, /SEARCH/);
r = await call('apply', {});
assert.ok(r.isError);
roots = [];
r = await call('apply', { reply: good });
assert.ok(r.isError);
assert.equal(r.structuredContent.error.code, 'outside-root');
assert.equal(text(), 'one\ntwo\n');
await client.close();
console.log('ok');
