/**
 * Who may import whom: everything that is not listed is refused. The plugin beside this file enforces it, and
 * `node build/layer-rule/print.mjs` prints it as the table of ARCHITECTURE.md.
 *
 * `path` is a folder, or a single file; the longest match decides. `imports` names layers (`core/*`: every layer whose
 * name begins so). `packages` names npm packages; `node:*` is every module of Node.
 */
const node = 'node:*'
const page = 'shared* renderer/ui renderer/state renderer/api'
const pagePackages = ['react', 'react-aria-components', 'lucide-react', '@tanstack/react-query', '@tanstack/react-router']

/** A folder, or the file `path`, whose modules may import one another; `imports` are names separated by blanks. */
function layer(name, imports, packages, path = name) {
	return {name, path, imports: [name, ...imports.split(' ').filter(each => each !== '')], packages}
}

/** The same below `electron/`. */
function inside(name, imports, packages = [node, 'zod'], path = name) {
	return layer(name, imports, packages, `electron/${path}`)
}

export const layers = [
	layer('shared', 'shared/model', ['zod', '@orpc/contract']),
	layer('shared/model', 'shared', ['zod']),

	layer('client', '', []),

	// From the ground up: a district imports only what stands above it in this list.
	inside('core/base', 'core/base* shared*', [node, 'pino']),
	inside('core/base/ports', '', [], 'core/base/ports.ts'),
	inside('core/store', 'shared'),
	inside('core/engine', 'shared core/base* core/store', [node]),
	inside('core/record/incidents', 'shared* core/base* core/store'),
	inside('core/record/incidents/testing', 'core/record/incidents shared* core/base* core/store', [node, 'pg']),
	inside('core/record/handover', 'shared* core/record/incidents'),
	inside('core/service/api', 'shared* core/base*', [node, 'zod', 'axios']),
	inside('core/service/api/testing', 'core/service/api core/base*', [node, '@peculiar/x509', 'reflect-metadata']),
	inside('core/service/managed', 'shared* core/base* core/store core/record/incidents core/service/api'),
	inside('core/service/connections', 'shared* core/base* core/store core/record/incidents core/service/api core/service/managed'),
	inside('core/service/labels', 'shared/model core/store'),
	inside('core/service/views', 'shared* core/store'),
	inside('core/service/settings', 'shared* core/base* core/store core/service/managed core/service/connections'),
	inside('core/replicas/kit', 'shared* core/base* core/store core/service/api core/service/connections'),
	inside('core/replicas/computers', 'shared* core/replicas/kit core/base* core/store core/service/api core/service/labels'),
	inside('core/replicas/events', 'shared* core/replicas/kit core/base* core/store core/service/api core/replicas/computers'),
	inside(
		'core/replicas/directory',
		'shared* core/replicas/kit core/replicas/events core/base* core/store core/service/api core/replicas/computers'
	),
	inside('core/replicas/trajectories', 'shared* core/replicas/kit core/store core/service/api'),
	inside('core/replicas/audit', 'shared* core/replicas/kit core/base* core/store core/record/incidents core/service/api'),
	inside('core/approvals', 'shared* core/base* core/store core/record/incidents core/service/managed core/service/connections'),
	inside(
		'core/actions/isolation',
		'shared* core/base* core/store core/engine core/record/incidents core/service/api core/service/connections core/service/settings core/replicas/computers core/replicas/kit'
	),
	inside(
		'core/actions/guards',
		'shared* core/base* core/store core/record/incidents core/service/managed core/service/connections core/replicas/computers core/actions/isolation'
	),
	inside(
		'core/actions/commands',
		'shared* core/base* core/record/incidents core/service/api core/service/connections core/replicas/computers core/replicas/directory core/approvals core/actions/isolation core/actions/guards'
	),
	inside(
		'core/work/jobs',
		'shared* core/base* core/engine core/store core/record/incidents core/service/api core/service/connections core/replicas/computers core/approvals core/actions/isolation core/actions/guards core/actions/commands'
	),
	inside(
		'core/work/undo',
		'shared* core/base* core/engine core/record/incidents core/service/api core/service/connections core/replicas/computers core/replicas/directory core/actions/commands core/work/jobs'
	),
	inside(
		'core/work/list-editor',
		'shared* core/base* core/store core/service/api core/service/connections core/replicas/directory core/replicas/events core/actions/guards core/work/jobs',
		[node, 'zod', 'csv-parse']
	),
	inside(
		'core/playbooks',
		'shared* core/base* core/store core/engine core/record/incidents core/service/api core/service/connections core/replicas/computers core/approvals core/actions/commands',
		[node, 'zod', 'ajv', 'croner']
	),
	inside(
		'core/insight/overview',
		'shared* core/record/incidents core/replicas/computers core/replicas/events core/replicas/audit core/actions/isolation'
	),
	inside(
		'core/insight/search',
		'shared* core/base* core/record/incidents core/service/api core/replicas/computers core/replicas/directory core/replicas/events core/insight/overview'
	),
	inside('core/streams', 'shared* core/base* core/store core/record/incidents core/service/api core/service/connections core/replicas/events', [
		node,
		'zod',
		'amqplib'
	]),
	inside('core/targets', 'shared* core/base* core/store core/record/incidents core/service/api core/service/connections core/replicas/events'),
	inside(
		'core/doors',
		'shared* core/base* core/store core/record/incidents core/service/connections core/replicas/computers core/approvals core/actions/commands core/actions/guards core/playbooks',
		[node, 'zod', '@orpc/server', '@orpc/openapi', '@modelcontextprotocol/server']
	),
	inside('core/doors/testing', '', [node, 'ajv', '@modelcontextprotocol/client']),
	inside(
		'core/app',
		'shared* core/base* core/store core/engine core/record/incidents core/record/handover core/service/api core/service/managed core/service/connections core/service/labels core/service/views core/service/settings core/replicas/computers core/replicas/directory core/replicas/events core/replicas/trajectories core/replicas/audit core/replicas/kit core/approvals core/actions/isolation core/actions/guards core/actions/commands core/work/jobs core/work/undo core/work/list-editor core/playbooks core/insight/overview core/insight/search core/streams core/targets core/doors core/app/gateway',
		[node, 'zod', '@orpc/server']
	),
	inside('core/app/gateway', 'shared* core/base/ports core/store core/record/incidents core/service/connections', [], 'core/app/gateway.ts'),
	inside('gateway/forwarder', 'gateway/forwarder* shared* core/base*', [node, 'asn1js']),
	inside('gateway/forwarder/tls', 'shared* core/base core/base/ports gateway/forwarder', [
		node,
		'asn1js',
		'@peculiar/x509',
		'@peculiar/asn1-x509',
		'@peculiar/asn1-schema',
		'reflect-metadata'
	]),
	inside(
		'gateway/instances',
		'shared* core/app/gateway core/base* core/store core/record/incidents core/service/api core/service/connections gateway/forwarder*',
		[node, 'zod', 'yaml']
	),

	inside('sandbox', 'shared/model', [node, 'zod', 'amqplib']),

	inside('headless', 'shared* core/*', [node, 'zod', 'ws', '@orpc/server']),
	inside('desktop', 'shared* core/* secrets', [node, 'zod', 'electron', '@orpc/server']),
	inside('secrets', 'shared* core/*', [node, 'zod', '@napi-rs/keyring']),
	inside('socket', 'shared', [node]),
	inside('cli', 'shared* core/* gateway/* sandbox secrets socket'),

	inside('entry headless', 'shared core/* gateway/* headless secrets sandbox cli', [node], 'headless.ts'),
	inside('application', 'shared core/* gateway/* desktop secrets sandbox cli', [node, 'electron', '@orpc/server'], 'application.ts'),
	inside('program', 'shared core/* desktop application secrets', [node, 'electron'], 'program.ts'),
	inside('compiled', '', [node], 'compiled.ts'),
	inside('entry main', 'compiled desktop program', [node, 'electron'], 'main.ts'),
	inside('entry main-test', 'compiled desktop program', [node, 'electron'], 'main-test.ts'),
	inside('entry preload', 'desktop', ['electron'], 'preload.ts'),
	inside('entry cli', 'shared* core/* compiled cli secrets sandbox', [node], 'cli.ts'),

	layer('renderer/ui', 'shared*', [
		'react',
		'react-dom',
		'react-aria-components',
		'lucide-react',
		'@tanstack/react-table',
		'@tanstack/react-virtual',
		'echarts'
	]),
	layer('renderer/state', 'shared*', ['react', 'zustand']),
	layer('renderer/api', 'shared*', ['react', '@orpc/client', '@orpc/contract', '@orpc/tanstack-query', '@tanstack/react-query']),
	layer('renderer/commands', page, pagePackages),
	layer('renderer/kit', 'shared* renderer/ui', ['react', 'lucide-react', '@tanstack/react-router', 'zod']),
	{
		name: 'renderer/features',
		path: 'renderer/features',
		imports: [
			...page.split(' '),
			'renderer/kit',
			'renderer/commands',
			'same folder',
			'renderer/features/file-lists/editor/hashing',
			'renderer/features/playbooks/graph'
		],
		packages: [...pagePackages, 'zod', '@tanstack/react-table', '@tanstack/react-virtual']
	},
	layer('renderer/features/playbooks/graph', 'shared* renderer/ui', ['react', '@xyflow/react', '@dagrejs/dagre']),
	layer('renderer/features/file-lists/editor/hashing', 'renderer/ui', ['@noble/hashes']),
	layer('renderer/app', `${page} renderer/commands renderer/kit renderer/features`, [
		...pagePackages,
		'@fontsource-variable/inter',
		'@fontsource-variable/jetbrains-mono',
		'react-dom',
		'zod',
		'zustand'
	]),

	layer('e2e', 'shared* core/streams sandbox build', [node, '@playwright/test', 'axe-core']),
	layer('build', 'shared* core/* gateway/* sandbox headless', [
		node,
		'vite',
		'electron',
		'@electron/fuses',
		'@electron/asar',
		'@electron/get',
		'@resvg/resvg-wasm',
		'@playwright/test',
		'js-tokens',
		'zod'
	]),
	layer('build/bench/peers', '', [node, '@fastify/http-proxy', 'fastify', 'http-proxy-3']),
	layer('configuration', 'build', [node, 'vite', 'vitest', '@vitejs/plugin-react'], '')
]

/** What a test may import besides what its folder may: real neighbours over real borders. */
export const tests = {
	imports: ['shared', 'shared/model', 'client', 'core/*', 'gateway/*', 'sandbox', 'headless', 'secrets'],
	packages: [node, 'vitest', 'fast-check', 'ws', '@orpc/client', '@orpc/server', '@orpc/contract']
}

/** `places` are files and folders. */
const only = (kind, name, ...places) => ({name, kind, in: places})

/** One door per privilege: names and packages that a single place may use. */
export const privileges = [
	only('import', 'ipcMain', 'electron/desktop/port.ts'),
	// The second is the window of an attack.
	only('new', 'BrowserWindow', 'electron/desktop/window.ts', 'e2e/desktop/wire.spec.ts', 'build/bench/desktop/entry.mjs'),
	{...only('import', 'shell', 'electron/desktop/shell.ts'), from: 'electron'},
	{...only('import', 'safeStorage', 'electron/desktop/secrets.ts'), from: 'electron'},
	only('import', 'ipcRenderer', 'electron/preload.ts'),
	only('import', 'contextBridge', 'electron/preload.ts'),
	only('import', 'webUtils', 'electron/preload.ts'),
	only('package', 'node:sqlite', 'electron/core/store'),
	only('package', 'axios', 'electron/core/service/api/client.ts'),
	only('package', 'amqplib', 'electron/core/streams/broker.ts', 'electron/sandbox/testing/amqp.ts'),
	only('package', 'pino', 'electron/core/base/log.ts'),
	only(
		'member',
		'process.env',
		'electron/headless.ts',
		'electron/main.ts',
		'electron/main-test.ts',
		'electron/cli.ts',
		'client/example.js',
		'build',
		'e2e'
	),
	only('import', 'issueWriteToken', 'electron/core/actions/commands/runner.ts', 'electron/core/streams/manage.ts'),
	only('attribute', 'dangerouslySetInnerHTML'),
	only('property', 'innerHTML'),
	only('property', 'outerHTML'),
	only('property', 'insertAdjacentHTML')
]
