import {fileURLToPath} from 'node:url'

import react from '@vitejs/plugin-react'
import {defineConfig, type UserConfig} from 'vite'

import {firstScreenGroup, fontsWithoutFlash, nodeStartGroups, preloadFirstScreen, windowStartGroups} from './build/first-screen.ts'
import {leanNode} from './build/lean-node.ts'
import {leanPage} from './build/lean-page.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/**
 * One configuration, four builds: `page`, `node` (headless console, command line and threads, code-split), `desktop` (in the
 * same folder, in parts of its own: what the command line splits would slow the window's start) and `preload` (one CommonJS
 * file, because a sandboxed preload cannot be a module). `build/lib/dist.mjs` runs them.
 */
export default defineConfig(({mode}) => {
	if (mode === 'node') return node
	if (mode === 'desktop') return desktop
	if (mode === 'preload') return preload
	return page
})

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

/** A thread is a file of its own (`electron/core/replicas/computers/write-thread.ts`, `electron/gateway/instances/forwarder-thread.ts`). */
const threads: Readonly<Record<string, string>> = {
	'inventory-worker': 'electron/core/replicas/computers/worker.ts',
	'storage-worker': 'electron/core/app/storage-worker.ts',
	'events-worker': 'electron/core/replicas/events/worker.ts',
	'forwarder-worker': 'electron/gateway/instances/forwarder-worker.ts',
	'list-worker': 'electron/gateway/instances/list/build-worker.ts'
}

type Groups = ReturnType<typeof nodeStartGroups>

const nodeSide = (input: Readonly<Record<string, string>>, chunks: string, groups: Groups): UserConfig => ({
	root,
	publicDir: false,
	plugins: [leanNode()],
	// Libraries look for it at their start, and Node loads it then (15 ms).
	define: {navigator: 'undefined'},
	// A bundle that runs where node_modules is not: the packaged application and a copied `dist`.
	ssr: {target: 'node', noExternal: true},
	build: {
		ssr: true,
		target: 'node24',
		outDir: `${root}dist/node`,
		emptyOutDir: true,
		minify: false,
		reportCompressedSize: false,
		rolldownOptions: {
			input: Object.fromEntries(Object.entries(input).map(([name, path]) => [name, `${root}${path}`])),
			// `leanNode` takes some of Node's. Native: the key store, and helpers of ws; both are loaded in a try block.
			external: [/^node:(?!(?:https?|fs|tls|util)$)/, 'electron', '@napi-rs/keyring', 'bufferutil', 'utf-8-validate'],
			output: {format: 'es', entryFileNames: '[name].js', chunkFileNames: `chunks/${chunks}-[hash].js`, codeSplitting: {groups: [...groups]}}
		}
	}
})

const node = nodeSide(
	{headless: 'electron/headless.ts', cli: 'electron/cli.ts', ...threads},
	'[name]',
	nodeStartGroups(root, Object.values(threads))
)

const desktop = nodeSide(
	// The second is for the desktop tests alone; never packaged.
	{main: 'electron/main.ts', 'main-test': 'electron/main-test.ts'},
	'window-[name]',
	windowStartGroups(root)
)

const preload: UserConfig = {
	root,
	publicDir: false,
	ssr: {target: 'node', noExternal: true},
	build: {
		ssr: true,
		target: 'node24',
		outDir: `${root}dist/preload`,
		emptyOutDir: true,
		minify: false,
		reportCompressedSize: false,
		rolldownOptions: {
			input: {preload: `${root}electron/preload.ts`},
			external: ['electron'],
			output: {format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false}
		}
	}
}
