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

const page = (text, link) => ({text, link})

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
			{
				text: 'Start',
				items: [
					page('Cordon', '/'),
					page('Product tour', '/docs/tour'),
					page('30 sentences', '/docs/sentences'),
					page('Known limits', '/docs/limits'),
				],
			},
			{
				text: 'Work',
				items: [
					page('Guard rules', '/docs/guard-rules'),
					page('Jobs', '/docs/jobs'),
					page('What jobs promise', '/docs/jobs-promises'),
					page('File lists', '/docs/file-lists'),
					page('Command line', '/docs/command-line'),
					page('Event streams', '/docs/streams'),
				],
			},
			{
				text: 'Automation',
				items: [
					page('Automation', '/docs/automation'),
					page('Playbooks', '/docs/playbooks'),
					page('SOARCA', '/docs/soarca'),
					page('Shuffle', '/docs/shuffle'),
					page('n8n', '/docs/n8n'),
					page('Cortex XSOAR', '/docs/xsoar'),
				],
			},
			{
				text: 'Set up',
				items: [
					page('Connections', '/docs/connections'),
					page('Data and secrets', '/docs/profile'),
					page('Desktop window', '/docs/desktop'),
					page('Jump host', '/docs/jump-host'),
					page('Administrators', '/docs/administrators'),
				],
			},
			{
				text: 'Instances',
				items: [
					page('Instances', '/docs/instances'),
					page('Standalone forwarding server', '/docs/forwarding'),
					page('List service', '/docs/lists'),
					page('Conformance', '/docs/forwarder-conformance'),
				],
			},
			{
				text: 'Reference',
				items: [
					page('Commands', '/docs/reference/commands'),
					page('Errors', '/docs/reference/errors'),
					page('Managed configuration', '/docs/reference/managed'),
				],
			},
			{
				text: 'Project',
				items: [
					page('Security', '/SECURITY'),
					page('Architecture', '/ARCHITECTURE'),
					page('Decisions', '/docs/adr/README'),
					page('Contributing', '/CONTRIBUTING'),
					page('Requirements and tests', '/docs/acceptance'),
					page('Sandbox', '/docs/sandbox'),
					page('Measurements', '/docs/bench'),
					page('Twelve tasks', '/docs/tasks'),
				],
			},
		],
	},
}
