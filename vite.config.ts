import {fileURLToPath} from 'node:url'

import react from '@vitejs/plugin-react'
import {defineConfig, type PluginOption, type UserConfig} from 'vite'

import {firstScreenGroup, fontsWithoutFlash, nodeStartGroup, preloadFirstScreen, windowStartGroups} from './build/first-screen.ts'
import {leanNode} from './build/lean-node.ts'
import {leanPage} from './build/lean-page.ts'
import {leanThread} from './build/lean-thread.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/**
 * One configuration, five builds: `page`, `node` (headless console and command line, code-split), `threads` and `desktop` (in the
 * same folder, in parts of their own: what the command line splits would slow their start) and `preload` (one CommonJS
 * file, because a sandboxed preload cannot be a module). `build/lib/dist.mjs` runs them.
 */
export default defineConfig(({mode}) => others[mode] ?? page)

const page: UserConfig = {
	root: `${root}renderer`,
	base: '/',
	plugins: [react({jsxImportSource: '#jsx'}), preloadFirstScreen(), fontsWithoutFlash(), leanPage()],
	css: {modules: {localsConvention: 'camelCaseOnly'}},
	build: {
		outDir: `${root}dist/page`,
		emptyOutDir: true,
		// Nothing becomes a data: URL that the content security policy would have to allow.
		assetsInlineLimit: 0,
		modulePreload: {polyfill: false},
		reportCompressedSize: false,
		chunkSizeWarningLimit: 2_000,
		rolldownOptions: {output: {codeSplitting: {groups: [firstScreenGroup(root)]}}}
	}
}

/** Runs where node_modules is not: the packaged application and a copied `dist`. */
const bundle: UserConfig = {root, publicDir: false, ssr: {target: 'node', noExternal: true}}

const forNode = {ssr: true, target: 'node24', emptyOutDir: true, minify: false, reportCompressedSize: false} as const

interface Side {
	input: Readonly<Record<string, string>>
	chunks: string
	groups: ReturnType<typeof windowStartGroups>
	plugins: PluginOption[]
}

const nodeSide = ({input, chunks, groups, plugins}: Side): UserConfig => ({
	...bundle,
	plugins,
	// Libraries look for it at their start, and Node loads it then (15 ms).
	define: {navigator: 'undefined'},
	build: {
		...forNode,
		outDir: `${root}dist/node`,
		rolldownOptions: {
			input: Object.fromEntries(Object.entries(input).map(([name, path]) => [name, `${root}${path}`])),
			// `leanNode` takes some of Node's. Native: the key store, and helpers of ws; both are loaded in a try block.
			external: [/^node:(?!(?:https?|fs|tls|util)$)/, 'electron', '@napi-rs/keyring', 'bufferutil', 'utf-8-validate'],
			output: {format: 'es', entryFileNames: '[name].js', chunkFileNames: `chunks/${chunks}-[hash].js`, codeSplitting: {groups: [...groups]}}
		}
	}
})

const node = nodeSide({
	input: {headless: 'electron/headless.ts', cli: 'electron/cli.ts'},
	chunks: '[name]',
	groups: [nodeStartGroup(root)],
	plugins: [leanNode({hasClient: true})]
})

/** A thread is a file of its own (`electron/core/replicas/computers/write-thread.ts`, `electron/gateway/instances/forwarder-thread.ts`). */
const threads = nodeSide({
	input: {
		'inventory-worker': 'electron/core/replicas/computers/worker.ts',
		'storage-worker': 'electron/core/app/storage-worker.ts',
		'events-worker': 'electron/core/replicas/events/worker.ts',
		'forwarder-worker': 'electron/gateway/instances/forwarder-worker.ts',
		'list-worker': 'electron/gateway/instances/list/build-worker.ts'
	},
	chunks: 'thread-[name]',
	groups: [],
	plugins: [leanNode({hasClient: false}), leanThread('inventory-worker')]
})

const desktop = nodeSide({
	// The second is for the desktop tests alone; never packaged.
	input: {main: 'electron/main.ts', 'main-test': 'electron/main-test.ts'},
	chunks: 'window-[name]',
	groups: windowStartGroups(root),
	plugins: [leanNode({hasClient: true})]
})

const preload: UserConfig = {
	...bundle,
	build: {
		...forNode,
		outDir: `${root}dist/preload`,
		rolldownOptions: {
			input: {preload: `${root}electron/preload.ts`},
			external: ['electron'],
			output: {format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false}
		}
	}
}

const others: Readonly<Record<string, UserConfig>> = {node, threads, desktop, preload}
