/**
 * Who may import whom: everything that is not listed is refused. The plugin beside this file enforces it, and
 * `node build/layer-rule/print.mjs` prints it as the table of ARCHITECTURE.md.
 *
 * `path` is a folder, or a single file; the longest match decides. `imports` names layers (`core/*`: every layer whose
 * name begins so). `packages` names npm packages; `node:*` is every module of Node.
 */
const node = 'node:*'
const page = ['shared', 'renderer/ui', 'renderer/state', 'renderer/api']
const pagePackages = ['react', 'react-aria-components', 'lucide-react', '@tanstack/react-query', '@tanstack/react-router']

/** A folder below `electron/`; `imports` are names separated by blanks. */
function inside(name, imports, packages = [node, 'zod']) {
	return {name, path: `electron/${name}`, imports: imports.split(' ').filter(each => each !== ''), packages}
}

export const layers = [
	{name: 'shared', path: 'shared', imports: ['shared', 'shared/model'], packages: ['zod', '@orpc/contract']},
	{name: 'shared/model', path: 'shared/model', imports: ['shared', 'shared/model'], packages: ['zod']},

	{name: 'client', path: 'client', imports: ['client'], packages: []},

	// From the ground up: a district imports only what stands above it in this list.
	inside('core/base', 'core/base* shared shared/model', [node, 'pino']),
	{...inside('core/base/ports', '', []), path: 'electron/core/base/ports.ts'},
	inside('core/store', 'core/store shared'),
	inside('core/engine', 'core/engine shared core/base* core/store', [node]),
	inside('core/record/incidents', 'core/record/incidents shared shared/model core/base* core/store'),
	inside(
		'core/record/incidents/testing',
		'core/record/incidents core/record/incidents/testing shared shared/model core/base* core/store',
		[node, 'pg'],
	),
	inside('core/record/handover', 'core/record/handover shared shared/model core/record/incidents'),
	inside('core/service/api', 'core/service/api shared shared/model core/base*', [node, 'zod', 'axios']),
	inside('core/service/api/testing', 'core/service/api core/service/api/testing core/base*', [
		node,
		'@peculiar/x509',
		'reflect-metadata',
	]),
	inside(
		'core/service/managed',
		'core/service/managed shared shared/model core/base* core/store core/record/incidents core/service/api',
	),
	inside(
		'core/service/connections',
		'core/service/connections shared shared/model core/base* core/store core/record/incidents core/service/api core/service/managed',
	),
	inside('core/service/labels', 'core/service/labels shared/model core/store'),
	inside('core/service/views', 'core/service/views shared shared/model core/store'),
	inside(
		'core/service/settings',
		'core/service/settings shared shared/model core/base* core/store core/service/managed core/service/connections',
	),
	inside(
		'core/replicas/kit',
		'core/replicas/kit shared shared/model core/base* core/store core/service/api core/service/connections',
	),
	inside(
		'core/replicas/computers',
		'core/replicas/computers shared shared/model core/replicas/kit core/base* core/store core/service/api core/service/labels',
	),
	inside(
		'core/replicas/events',
		'core/replicas/events shared shared/model core/replicas/kit core/base* core/store core/service/api core/replicas/computers',
	),
	inside(
		'core/replicas/directory',
		'core/replicas/directory shared shared/model core/replicas/kit core/replicas/events core/base* core/store core/service/api core/replicas/computers',
	),
	inside(
		'core/replicas/trajectories',
		'core/replicas/trajectories shared shared/model core/replicas/kit core/store core/service/api',
	),
	inside(
		'core/replicas/audit',
		'core/replicas/audit shared shared/model core/replicas/kit core/base* core/store core/record/incidents core/service/api',
	),
	inside(
		'core/approvals',
		'core/approvals shared shared/model core/base* core/store core/record/incidents core/service/managed core/service/connections',
	),
	inside(
		'core/actions/isolation',
		'core/actions/isolation shared shared/model core/base* core/store core/engine core/record/incidents core/service/api core/service/connections core/service/settings core/replicas/computers core/replicas/kit',
	),
	inside(
		'core/actions/guards',
		'core/actions/guards shared shared/model core/base* core/store core/record/incidents core/service/managed core/service/connections core/replicas/computers core/actions/isolation',
	),
	inside(
		'core/actions/commands',
		'core/actions/commands shared shared/model core/base* core/record/incidents core/service/api core/service/connections core/replicas/computers core/replicas/directory core/approvals core/actions/isolation core/actions/guards',
	),
	inside(
		'core/work/jobs',
		'core/work/jobs shared shared/model core/base* core/engine core/store core/record/incidents core/service/api core/service/connections core/replicas/computers core/approvals core/actions/isolation core/actions/guards core/actions/commands',
	),
	inside(
		'core/work/undo',
		'core/work/undo shared shared/model core/base* core/engine core/record/incidents core/service/api core/service/connections core/replicas/computers core/replicas/directory core/actions/commands core/work/jobs',
	),
	inside(
		'core/work/list-editor',
		'core/work/list-editor shared shared/model core/base* core/store core/service/api core/service/connections core/replicas/directory core/replicas/events core/actions/guards core/work/jobs',
		[node, 'zod', 'csv-parse'],
	),
	inside(
		'core/playbooks',
		'core/playbooks shared shared/model core/base* core/store core/engine core/record/incidents core/service/api core/service/connections core/replicas/computers core/approvals core/actions/commands',
		[node, 'zod', 'ajv', 'croner'],
	),
	inside(
		'core/insight/overview',
		'core/insight/overview shared shared/model core/record/incidents core/replicas/computers core/replicas/events core/replicas/audit core/actions/isolation',
	),
	inside(
		'core/insight/search',
		'core/insight/search shared shared/model core/base* core/record/incidents core/service/api core/replicas/computers core/replicas/directory core/replicas/events core/insight/overview',
	),
	inside(
		'core/streams',
		'core/streams shared shared/model core/base* core/store core/record/incidents core/service/api core/service/connections core/replicas/events',
		[node, 'zod', 'amqplib'],
	),
	inside(
		'core/targets',
		'core/targets shared shared/model core/base* core/store core/record/incidents core/service/api core/service/connections core/replicas/events',
	),
	inside(
		'core/doors',
		'core/doors shared shared/model core/base* core/store core/record/incidents core/service/connections core/replicas/computers core/approvals core/actions/commands core/actions/guards core/playbooks',
		[node, 'zod', '@orpc/server', '@orpc/openapi', '@modelcontextprotocol/server'],
	),
	inside('core/doors/testing', 'core/doors/testing', [node, 'ajv', '@modelcontextprotocol/client']),
	inside(
		'core/app',
		'core/app shared shared/model core/base* core/store core/engine core/record/incidents core/record/handover core/service/api core/service/managed core/service/connections core/service/labels core/service/views core/service/settings core/replicas/computers core/replicas/directory core/replicas/events core/replicas/trajectories core/replicas/audit core/replicas/kit core/approvals core/actions/isolation core/actions/guards core/actions/commands core/work/jobs core/work/undo core/work/list-editor core/playbooks core/insight/overview core/insight/search core/streams core/targets core/doors core/app/gateway',
		[node, 'zod', '@orpc/server'],
	),
	{
		...inside(
			'core/app/gateway',
			'shared shared/model core/base/ports core/store core/record/incidents core/service/connections',
			[],
		),
		path: 'electron/core/app/gateway.ts',
	},
	inside('gateway/forwarder', 'gateway/forwarder* shared shared/model core/base*', [node, 'asn1js']),
	inside('gateway/forwarder/tls', 'shared shared/model core/base core/base/ports gateway/forwarder gateway/forwarder/tls', [
		node,
		'asn1js',
		'@peculiar/x509',
		'@peculiar/asn1-x509',
		'@peculiar/asn1-schema',
		'reflect-metadata',
	]),
	inside(
		'gateway/instances',
		'gateway/instances shared shared/model core/app/gateway core/base* core/store core/record/incidents core/service/api core/service/connections gateway/forwarder*',
		[node, 'zod', 'yaml'],
	),

	{name: 'sandbox', path: 'electron/sandbox', imports: ['shared/model', 'sandbox'], packages: [node, 'zod', 'amqplib']},

	{
		name: 'headless',
		path: 'electron/headless',
		imports: ['shared', 'shared/model', 'core/*', 'headless'],
		packages: [node, 'zod', 'ws', '@orpc/server'],
	},
	{
		name: 'desktop',
		path: 'electron/desktop',
		imports: ['shared', 'shared/model', 'core/*', 'desktop', 'secrets'],
		packages: [node, 'zod', 'electron', '@orpc/server'],
	},
	{
		name: 'secrets',
		path: 'electron/secrets',
		imports: ['shared', 'shared/model', 'core/*', 'secrets'],
		packages: [node, 'zod', '@napi-rs/keyring'],
	},
	{name: 'socket', path: 'electron/socket', imports: ['shared', 'socket'], packages: [node]},
	{
		name: 'cli',
		path: 'electron/cli',
		imports: ['shared', 'shared/model', 'core/*', 'gateway/*', 'cli', 'sandbox', 'secrets', 'socket'],
		packages: [node, 'zod'],
	},

	{
		name: 'entry headless',
		path: 'electron/headless.ts',
		imports: ['shared', 'core/*', 'gateway/*', 'headless', 'secrets', 'sandbox', 'cli'],
		packages: [node],
	},
	{
		name: 'desktop application',
		path: 'electron/application.ts',
		imports: ['shared', 'core/*', 'gateway/*', 'desktop', 'secrets', 'sandbox', 'cli'],
		packages: [node, 'electron', '@orpc/server'],
	},
	{
		name: 'desktop program',
		path: 'electron/program.ts',
		imports: ['shared', 'core/*', 'desktop', 'desktop application', 'secrets'],
		packages: [node, 'electron'],
	},
	{name: 'compiled', path: 'electron/compiled.ts', imports: [], packages: [node]},
	{name: 'entry main', path: 'electron/main.ts', imports: ['compiled', 'desktop', 'desktop program'], packages: [node, 'electron']},
	{
		name: 'entry main-test',
		path: 'electron/main-test.ts',
		imports: ['compiled', 'desktop', 'desktop program'],
		packages: [node, 'electron'],
	},
	{name: 'entry preload', path: 'electron/preload.ts', imports: ['desktop'], packages: ['electron']},
	{
		name: 'entry cli',
		path: 'electron/cli.ts',
		imports: ['shared', 'shared/model', 'core/*', 'compiled', 'cli', 'secrets', 'sandbox'],
		packages: [node],
	},

	{
		name: 'renderer/ui',
		path: 'renderer/ui',
		imports: ['shared', 'shared/model', 'renderer/ui'],
		packages: [
			'react',
			'react-dom',
			'react-aria-components',
			'lucide-react',
			'@tanstack/react-table',
			'@tanstack/react-virtual',
			'echarts',
		],
	},
	{
		name: 'renderer/state',
		path: 'renderer/state',
		imports: ['shared', 'shared/model', 'renderer/state'],
		packages: ['react', 'zustand'],
	},
	{
		name: 'renderer/api',
		path: 'renderer/api',
		imports: ['shared', 'shared/model', 'renderer/api'],
		packages: ['react', '@orpc/client', '@orpc/contract', '@orpc/tanstack-query', '@tanstack/react-query'],
	},
	{
		name: 'renderer/commands',
		path: 'renderer/commands',
		imports: [...page, 'shared/model', 'renderer/commands'],
		packages: pagePackages,
	},
	{
		name: 'renderer/kit',
		path: 'renderer/kit',
		imports: ['shared', 'shared/model', 'renderer/kit'],
		packages: ['react', 'lucide-react', '@tanstack/react-router', 'zod'],
	},
	{
		name: 'renderer/features',
		path: 'renderer/features',
		imports: [
			...page,
			'shared/model',
			'renderer/kit',
			'renderer/commands',
			'same folder',
			'renderer/features/file-lists/editor/hashing',
			'renderer/features/playbooks/graph',
		],
		packages: [...pagePackages, 'zod', '@tanstack/react-table', '@tanstack/react-virtual'],
	},
	{
		name: 'renderer/features/playbooks/graph',
		path: 'renderer/features/playbooks/graph',
		imports: ['shared', 'shared/model', 'renderer/ui', 'renderer/features/playbooks/graph'],
		packages: ['react', '@xyflow/react', '@dagrejs/dagre'],
	},
	{
		name: 'renderer/features/file-lists/editor/hashing',
		path: 'renderer/features/file-lists/editor/hashing',
		imports: ['renderer/ui', 'renderer/features/file-lists/editor/hashing'],
		packages: ['@noble/hashes'],
	},
	{
		name: 'renderer/app',
		path: 'renderer/app',
		imports: [...page, 'shared/model', 'renderer/commands', 'renderer/kit', 'renderer/features', 'renderer/app'],
		packages: [...pagePackages, '@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono', 'react-dom', 'zod', 'zustand'],
	},

	{
		name: 'e2e',
		path: 'e2e',
		imports: ['shared', 'shared/model', 'core/streams', 'sandbox', 'e2e', 'build'],
		packages: [node, '@playwright/test', 'axe-core'],
	},
	{
		name: 'build',
		path: 'build',
		imports: ['build', 'shared', 'shared/model', 'core/*', 'gateway/*', 'sandbox', 'headless'],
		packages: [
			node,
			'vite',
			'electron',
			'@electron/fuses',
			'@electron/asar',
			'@electron/get',
			'@resvg/resvg-wasm',
			'@playwright/test',
			'js-tokens',
			'zod',
		],
	},
	{
		name: 'build/bench/peers',
		path: 'build/bench/peers',
		imports: ['build/bench/peers'],
		packages: [node, '@fastify/http-proxy', 'fastify', 'http-proxy-3'],
	},
	{name: 'configuration', path: '', imports: ['configuration', 'build'], packages: [node, 'vite', 'vitest', '@vitejs/plugin-react']},
]

/** What a test may import besides what its folder may: real neighbours over real borders. */
export const tests = {
	imports: ['shared', 'shared/model', 'client', 'core/*', 'gateway/*', 'sandbox', 'headless', 'secrets'],
	packages: [node, 'vitest', 'fast-check', 'ws', '@orpc/client', '@orpc/server', '@orpc/contract'],
}

/** One door per privilege: names and packages that a single place may use. `in` holds files and folders. */
export const privileges = [
	{name: 'ipcMain', kind: 'import', in: ['electron/desktop/port.ts']},
	// The second is the window of an attack.
	{
		name: 'BrowserWindow',
		kind: 'new',
		in: ['electron/desktop/window.ts', 'e2e/desktop/wire.spec.ts', 'build/bench/desktop/entry.mjs'],
	},
	{name: 'shell', kind: 'import', from: 'electron', in: ['electron/desktop/shell.ts']},
	{name: 'safeStorage', kind: 'import', from: 'electron', in: ['electron/desktop/secrets.ts']},
	{name: 'ipcRenderer', kind: 'import', in: ['electron/preload.ts']},
	{name: 'contextBridge', kind: 'import', in: ['electron/preload.ts']},
	{name: 'webUtils', kind: 'import', in: ['electron/preload.ts']},
	{name: 'node:sqlite', kind: 'package', in: ['electron/core/store']},
	{name: 'axios', kind: 'package', in: ['electron/core/service/api/client.ts']},
	{name: 'amqplib', kind: 'package', in: ['electron/core/streams/broker.ts', 'electron/sandbox/testing/amqp.ts']},
	{name: 'pino', kind: 'package', in: ['electron/core/base/log.ts']},
	{
		name: 'process.env',
		kind: 'member',
		in: ['electron/headless.ts', 'electron/main.ts', 'electron/main-test.ts', 'electron/cli.ts', 'client/example.js', 'build', 'e2e'],
	},
	{name: 'issueWriteToken', kind: 'import', in: ['electron/core/actions/commands/runner.ts', 'electron/core/streams/manage.ts']},
	{name: 'dangerouslySetInnerHTML', kind: 'attribute', in: []},
	{name: 'innerHTML', kind: 'property', in: []},
	{name: 'outerHTML', kind: 'property', in: []},
	{name: 'insertAdjacentHTML', kind: 'property', in: []},
]

/** The aliases of `package.json`, section `imports`. */
export const aliases = {
	'#shared/': 'shared/',
	'#model/': 'shared/model/',
	'#contract/': 'shared/contract/',
	'#text/': 'shared/text/',
	'#base/': 'electron/core/base/',
	'#core/': 'electron/core/',
	'#gateway/': 'electron/gateway/',
	'#sandbox/': 'electron/sandbox/',
	'#renderer/': 'renderer/',
	'#ui/': 'renderer/ui/',
	'#api/': 'renderer/api/',
	'#commands/': 'renderer/commands/',
	'#kit/': 'renderer/kit/',
	'#state/': 'renderer/state/',
}
