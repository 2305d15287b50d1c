/** The subcommands of forwarding: instances, server parameters, the certificate, and the standalone server. */
import {flag, type OptionSpec, type SubcommandSpec, text} from './subcommand-spec.ts'

const instance = {name: 'NAME', required: true} as const

const confirm = {
	confirm: text('TEXT', 'The text that is to be typed where a confirmation is asked for.'),
} as const satisfies Readonly<Record<string, OptionSpec>>

const definition = {
	port: text('PORT', 'Its listen port; without it a free one is chosen.'),
	run: {
		takes: 'text',
		value: 'WORD',
		summary: 'The program that Cordon runs for it, then each argument with a --run of its own.',
		many: true,
	},
	folder: text('DIR', 'Where that program runs.'),
	access: {
		takes: 'text',
		value: 'KIND',
		summary: 'Who may use it through the route.',
		choices: ['none', 'basic', 'bearer', 'hmac', 'certificate'],
	},
	'users-file': text('FILE', 'For basic: a file with a line NAME:PASSWORD for each user; - reads standard input.'),
	'tokens-file': text('FILE', 'For bearer: a file with one token a line; - as above.'),
	'signing-key-file': text('FILE', 'For hmac: a file whose first line is the key; - as above.'),
	'authorities-file': text('FILE', 'For certificate: the authorities of the clients, in PEM form.'),
	allow: {takes: 'text', value: 'NETWORK', summary: 'Who may use it at all: an address or network (default: everyone).', many: true},
	expose: flag('Reach it through the route.'),
	set: {
		takes: 'text',
		value: 'KEY=VALUE',
		summary: 'Any other setting, such as timeouts.firstByteS=60; "instances settings" lists them.',
		many: true,
	},
	...confirm,
} as const satisfies Readonly<Record<string, OptionSpec>>

export const forwardingSubcommands: readonly SubcommandSpec[] = [
	{name: 'instances list', summary: 'List the long-running instances, with state, route and traffic.', words: [], options: {}},
	{
		name: 'instances show',
		summary: 'Show one instance: settings, addresses to copy, warnings, changes of its health.',
		words: [instance],
		options: {},
	},
	{name: 'instances settings', summary: 'List what --set knows.', words: [], options: {}},
	{name: 'instances add', summary: 'Add an instance; without --run someone else runs it.', words: [instance], options: definition},
	{
		name: 'instances set',
		summary: 'Change an instance; what is not named stays.',
		words: [instance],
		options: {...definition, rename: text('NAME', 'Its new name; the old one goes on working.')},
	},
	{
		name: 'instances remove',
		summary: 'Remove an instance, its secrets and its own key among the server parameters.',
		words: [instance],
		options: {},
	},
	{name: 'instances enable', summary: 'Switch an instance on.', words: [instance], options: {}},
	{name: 'instances disable', summary: 'Switch an instance off.', words: [instance], options: {}},
	{name: 'instances expose', summary: 'Reach an instance through the route.', words: [instance], options: confirm},
	{name: 'instances hide', summary: 'Stop exposing an instance.', words: [instance], options: {}},
	{
		name: 'instances open-port',
		summary: 'Let the network reach the listen port itself, past the route and its checks.',
		words: [instance],
		options: confirm,
	},
	{name: 'instances close-port', summary: 'Bind the listen port to this computer alone.', words: [instance], options: {}},
	{name: 'instances restart', summary: 'Have the console start an instance anew.', words: [instance], options: {}},
	{
		name: 'instances test',
		summary: 'Ask the instance itself, past the route: whether it listens and answers. It binds nothing.',
		words: [instance],
		options: {},
	},
	{name: 'instances probe', summary: 'Call the route as a client would, and show each stage.', words: [instance], options: {}},
	{
		name: 'instances requests',
		summary: 'Show the last requests, of one instance if it is named.',
		words: [{name: 'NAME', required: false}],
		options: {limit: text('N', 'Number of requests (default: 50).')},
	},
	{name: 'instances output', summary: 'Show the last lines that the program of an instance printed.', words: [instance], options: {}},
	{name: 'instances publish', summary: 'Have the console publish the list that is held back.', words: [instance], options: {}},
	{name: 'parameters list', summary: 'List the server parameters, with what each does.', words: [], options: {}},
	{
		name: 'parameters set',
		summary: 'Set a server parameter.',
		words: [
			{name: 'KEY', required: true},
			{name: 'VALUE', required: true},
		],
		options: confirm,
	},
	{
		name: 'parameters remove',
		summary: 'Remove a server parameter, so that its default holds.',
		words: [{name: 'KEY', required: true}],
		options: confirm,
	},
	{name: 'ca show', summary: "Show the forwarding server's certificate.", words: [], options: {}},
	{
		name: 'ca export',
		summary: 'Write the certificate of the local authority, for the trust stores of clients.',
		words: [],
		options: {
			format: {takes: 'text', value: 'FORMAT', summary: 'How to write it (pem without it).', choices: ['pem', 'der']},
			out: text('FILE', 'Where to; without it, standard output.'),
		},
	},
	{
		name: 'ca import',
		summary: 'Use a certificate and key of your own, in PEM form.',
		words: [],
		options: {
			certificate: text('FILE', 'The certificate, then those between it and its root.'),
			key: text('FILE', 'Its key, readable by its owner alone; - reads standard input.'),
		},
	},
	{name: 'ca renew', summary: 'Have the local authority issue a new certificate now.', words: [], options: {}},
	{name: 'ca use-local', summary: 'Go back to a certificate of the local authority.', words: [], options: {}},
	{
		name: 'forward',
		summary: 'Run the forwarding server alone, from a YAML or JSON file, until stopped; SIGHUP reads the file anew.',
		words: [],
		options: {
			config: text('FILE', 'The configuration; docs/forwarding.md describes it.'),
			port: text('PORT', 'Port to listen on instead of the one in the file; 0: any free one.'),
			state: text('DIR', 'Where certificates are kept (in the profile without it).'),
			check: flag('Read and check the file, and start nothing.'),
		},
	},
	{
		name: 'forward export',
		summary: 'Write an equivalent configuration for another engine.',
		words: [],
		options: {
			format: {takes: 'text', value: 'ENGINE', summary: 'Which engine.', choices: ['nginx', 'haproxy']},
			config: text('FILE', 'The file to take it from; without it, the profile.'),
			out: text('DIR', 'Write it and the files it needs into this folder.'),
			'certificate-path': text('FILE', 'Where the engine finds its certificate.'),
			'key-path': text('FILE', 'Where nginx finds its key.'),
		},
	},
	{
		name: 'forward hash-password',
		summary: 'Read a password from standard input, or ask for it, and print its hash for passwordHash.',
		words: [],
		options: {},
	},
]
