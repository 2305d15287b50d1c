/**
 * Bundles all that a start needs into one file, which the browser requests with the page. Without it the browser finds some
 * hundred files in three steps, each only after the previous one has run, six files at a time.
 */
import type {IndexHtmlTransformContext, Plugin, Rolldown} from 'vite'

/** The page's script configures zod before anything else is evaluated, so it stays by itself. */
const entry = 'renderer/app/main.ts'

/** The frame, the screen of a start without an address, and what the frame itself loads. */
const wanted = ['renderer/app/start.tsx', 'renderer/features/computers/ComputersScreen.tsx', 'renderer/commands/Drawer.tsx']

const name = 'first-screen'

type ModuleGraph = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>

/** For `codeSplitting.groups` of the page's build: all that `wanted` imports, without what `entry` imports. */
export function firstScreenGroup(root: string): Rolldown.CodeSplittingGroup {
	return startGroup(root, {name, wanted, without: [entry]})
}

/**
 * What a command of the command line loads. Finding, reading and linking a hundred small files costs the start more than
 * their code does. Not what runs before Node keeps compiled code, or all would be compiled at each start.
 */
export function nodeStartGroup(root: string): Rolldown.CodeSplittingGroup {
	return startGroup(root, {name: 'command', wanted: commandParts, without: ['electron/compiled.ts']})
}

/** What the desktop program loads for its window, and what it loads while the page starts. */
export function windowStartGroups(root: string): readonly Rolldown.CodeSplittingGroup[] {
	const [program, application] = ['electron/program.ts', 'electron/application.ts']
	return [
		startGroup(root, {name: 'program', wanted: [program], without: []}),
		startGroup(root, {name: 'application', wanted: [application], without: [program]})
	]
}

const commandParts = [
	'electron/cli/main.ts',
	'electron/cli/files.ts',
	'electron/cli/through.ts',
	'electron/cli/run-command.ts',
	'electron/core/service/api/client.ts',
	'electron/secrets/vault.ts',
	'electron/secrets/key-store.ts'
]

interface StartGroup {
	name: string
	/** Modules to include with all their imports. */
	wanted: readonly string[]
	/** Modules to leave out with all their imports. */
	without: readonly string[]
}

function startGroup(root: string, {name, wanted, without}: StartGroup): Rolldown.CodeSplittingGroup {
	const paths = (names: readonly string[]) => names.map(path => `${root}${path}`)
	const membersOf = (graph: ModuleGraph) => importedBy(paths(wanted), graph).difference(importedBy(paths(without), graph))
	let members: ReadonlySet<string> | null = null
	return {
		debugName: name,
		// Otherwise code that is not needed yet would load too.
		includeDependenciesRecursively: false,
		name: (id, graph) => {
			members ??= membersOf(graph)
			return members.has(id) ? name : null
		}
	}
}

/** These modules and all their static imports. */
function importedBy(ids: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
	const found = new Set(ids)
	for (const id of found) {
		const module = graph.getModuleInfo(id)
		if (module === null && ids.includes(id)) throw new Error(`A part of the start is not there: ${id}. Was it moved?`)
		for (const next of module?.importedIds ?? []) found.add(next)
	}
	return found
}

/** Names its files in `index.html`, so that they load beside the script that imports them and not after it. */
export function preloadFirstScreen(): Plugin {
	return {
		name: 'preload-first-screen',
		apply: 'build',
		transformIndexHtml: {order: 'post', handler: (html, {bundle = {}}) => tagsFor(bundle).filter(({attrs}) => !html.includes(attrs.href))}
	}
}

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>

function tagsFor(bundle: Bundle) {
	const chunks = Object.values(bundle).filter(file => file.type === 'chunk')
	const main = chunks.find(chunk => chunk.name === name)
	if (main === undefined) throw new Error('The build made no chunk of the first screen.')
	// A dynamically imported module has a file that only re-exports it.
	const doors = chunks.filter(({facadeModuleId}) => wanted.some(path => facadeModuleId?.endsWith(`/${path}`)))
	const scripts = [main.fileName, ...main.imports, ...doors.map(({fileName}) => fileName)]
	return [
		...scripts.map(path => linkTo(path, 'modulepreload')),
		...[...(main.viteMetadata?.importedCss ?? [])].map(path => linkTo(path, 'stylesheet')),
		...Object.keys(bundle)
			.filter(path => firstFaces.test(path))
			.map(path => linkTo(path, 'preload', {as: 'font', type: 'font/woff2'}))
	]
}

function linkTo(path: string, rel: 'modulepreload' | 'stylesheet' | 'preload', more: Readonly<Record<string, string>> = {}) {
	return {tag: 'link', attrs: {rel, href: `/${path}`, ...more, crossorigin: true}, injectTo: 'head'} as const
}

/** Faces of nearly every word of the first screen; those of other scripts load when a word of theirs is shown. */
const firstFaces = /\/(inter|jetbrains-mono)-latin-wght-normal-[^/]*\.woff2$/

/** Words wait for their face: with the packages' own setting they would be drawn twice, in two widths. */
export function fontsWithoutFlash(): Plugin {
	return {
		name: 'fonts-without-flash',
		enforce: 'pre',
		transform: (code, id) =>
			id.includes('/@fontsource-variable/') ? {code: code.replaceAll('font-display: swap', 'font-display: block'), map: null} : null
	}
}
