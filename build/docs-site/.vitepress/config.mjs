/** `npm run docs`: the repository's own documents as a site. */

/** GitHub's anchor of a heading, so that a link works in both places. */
function slug(heading) {
	return heading
		.trim()
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
		.replaceAll(/\s/g, '-')
}

/**
 * A link to a file of the checkout leads nowhere on the site, so only its text stays. `build/docs.test.ts` checks these
 * links.
 */
function namePlaces({tokens}) {
	for (const token of tokens) if (token.type === 'inline') token.children = withoutPlaces(token.children)
}

function withoutPlaces(tokens) {
	let isPlace = false
	return tokens.filter(token => {
		if (token.type === 'link_open') isPlace = !/^(?:[a-z]+:|#)|\.md(?:#|$)/.test(token.attrGet('href'))
		return !(isPlace && token.type.startsWith('link_'))
	})
}

/** Pages by title; a link without a leading slash is below `docs/`. */
const section = (text, pages) => ({
	text,
	items: Object.entries(pages).map(([title, link]) => ({text: title, link: link.startsWith('/') ? link : `/docs/${link}`}))
})

export default {
	title: 'Cordon',
	description: 'Operator console for an endpoint-security service',
	lang: 'en-GB',
	srcDir: '../..',
	srcExclude: ['{build,e2e,node_modules,renderer,shared,dist,release}/**', '.*/**', 'electron/core/**'],
	outDir: '../../.cache/docs-site',
	cacheDir: '../../.cache/vitepress',
	rewrites: {'README.md': 'index.md'},
	markdown: {anchor: {slugify: slug}, config: md => void md.core.ruler.push('places', namePlaces)},
	// The configuration beside the documents builds the console's page.
	vite: {configFile: false},
	themeConfig: {
		search: {provider: 'local'},
		outline: [2, 3],
		sidebar: [
			section('Start', {Cordon: '/', 'Product tour': 'tour', '30 sentences': 'sentences', 'Known limits': 'limits'}),
			section('Work', {
				'Guard rules': 'guard-rules',
				Jobs: 'jobs',
				'What jobs promise': 'jobs-promises',
				'File lists': 'file-lists',
				'Command line': 'command-line',
				'Event streams': 'streams'
			}),
			section('Automation', {
				Automation: 'automation',
				Playbooks: 'playbooks',
				SOARCA: 'soarca',
				Shuffle: 'shuffle',
				n8n: 'n8n',
				'Cortex XSOAR': 'xsoar'
			}),
			section('Set up', {
				Connections: 'connections',
				'Data and secrets': 'profile',
				'Desktop window': 'desktop',
				'Jump host': 'jump-host',
				Administrators: 'administrators'
			}),
			section('Instances', {
				Instances: 'instances',
				'Standalone forwarding server': 'forwarding',
				'List service': 'lists',
				Conformance: 'forwarder-conformance'
			}),
			section('Reference', {Commands: 'reference/commands', Errors: 'reference/errors', 'Managed configuration': 'reference/managed'}),
			section('Project', {
				Security: '/SECURITY',
				Architecture: '/ARCHITECTURE',
				Decisions: 'adr/README',
				Contributing: '/CONTRIBUTING',
				'Requirements and tests': 'acceptance',
				Sandbox: 'sandbox',
				Measurements: 'bench',
				'Twelve tasks': 'tasks'
			})
		]
	}
}
