/** The subcommands of forwarding: instances, server parameters, the certificate, and the standalone server. */
import {choice, flag, subcommand, text, texts, type SubcommandSpec} from './subcommand-spec.ts'

const confirm = {confirm: text('TEXT', 'The text that is to be typed where a confirmation is asked for.')}

const definition = {
	port: text('PORT', 'Its listen port (default: the one before, at first any free one).'),
	run: texts('WORD', 'The program that Cordon runs for it, then each argument with a --run of its own.'),
	folder: text('DIR', 'Where that program runs.'),
	access: choice('KIND', ['none', 'basic', 'bearer', 'hmac', 'certificate'], 'Who may use it through the route.'),
	'users-file': text('FILE', 'For basic: a file with a line NAME:PASSWORD for each user; - reads standard input.'),
	'tokens-file': text('FILE', 'For bearer: a file with one token a line; - as above.'),
	'signing-key-file': text('FILE', 'For hmac: a file whose first line is the key; - as above.'),
	'authorities-file': text('FILE', 'For certificate: the authorities of the clients, in PEM form.'),
	allow: texts('NETWORK', 'Who may use it at all: an address or network (default: everyone).'),
	expose: flag('Reach it through the route.'),
	set: texts('KEY=VALUE', 'Any other setting, such as timeouts.firstByteS=60; "instances settings" lists them.'),
	...confirm
}

export const forwardingSubcommands: readonly SubcommandSpec[] = [
	subcommand('instances list', 'List the long-running instances, with state, route and traffic.'),
	subcommand('instances show NAME', 'Show one instance: settings, addresses to copy, warnings, changes of its health.'),
	subcommand('instances settings', 'List what --set knows.'),
	subcommand('instances add NAME', 'Add an instance; without --run someone else runs it.', definition),
	subcommand('instances set NAME', 'Change an instance; what is not named stays.', {
		...definition,
		rename: text('NAME', 'Its new name; the old one goes on working.')
	}),
	subcommand('instances remove NAME', 'Remove an instance, its secrets and its own key among the server parameters.'),
	subcommand('instances enable NAME', 'Switch an instance on.'),
	subcommand('instances disable NAME', 'Switch an instance off.'),
	subcommand('instances expose NAME', 'Reach an instance through the route.', confirm),
	subcommand('instances hide NAME', 'Stop exposing an instance.'),
	subcommand('instances open-port NAME', 'Let the network reach the listen port itself, past the route and its checks.', confirm),
	subcommand('instances close-port NAME', 'Bind the listen port to this computer alone.'),
	subcommand('instances restart NAME', 'Have the console start an instance anew.'),
	subcommand('instances test NAME', 'Ask the instance itself, past the route: whether it listens and answers. It binds nothing.'),
	subcommand('instances probe NAME', 'Call the route as a client would, and show each stage.'),
	subcommand('instances requests [NAME]', 'Show the last requests, of one instance if it is named.', {
		limit: text('N', 'Number of requests (default: 50).')
	}),
	subcommand('instances output NAME', 'Show the last lines that the program of an instance printed.'),
	subcommand('instances publish NAME', 'Have the console publish the list that is held back.'),
	subcommand('parameters list', 'List the server parameters, with what each does.'),
	subcommand('parameters set KEY VALUE', 'Set a server parameter.', confirm),
	subcommand('parameters remove KEY', 'Remove a server parameter, so that its default holds.', confirm),
	subcommand('ca show', "Show the forwarding server's certificate."),
	subcommand('ca export', 'Write the certificate of the local authority, for the trust stores of clients.', {
		format: choice('FORMAT', ['pem', 'der'], 'How to write it (pem without it).'),
		out: text('FILE', 'Where to; without it, standard output.')
	}),
	subcommand('ca import', 'Use a certificate and key of your own, in PEM form.', {
		certificate: text('FILE', 'The certificate, then those between it and its root.'),
		key: text('FILE', 'Its key, readable by its owner alone; - reads standard input.')
	}),
	subcommand('ca renew', 'Have the local authority issue a new certificate now.'),
	subcommand('ca use-local', 'Go back to a certificate of the local authority.'),
	subcommand('forward', 'Run the forwarding server alone, from a YAML or JSON file, until stopped; SIGHUP reads the file anew.', {
		config: text('FILE', 'The configuration; docs/forwarding.md describes it.'),
		port: text('PORT', 'Port to listen on instead of the one in the file; 0: any free one.'),
		state: text('DIR', 'Where certificates are kept (in the profile without it).'),
		check: flag('Read and check the file, and start nothing.')
	}),
	subcommand('forward export', 'Write an equivalent configuration for another engine.', {
		format: choice('ENGINE', ['nginx', 'haproxy'], 'Which engine.'),
		config: text('FILE', 'The file to take it from; without it, the profile.'),
		out: text('DIR', 'Write it and the files it needs into this folder.'),
		'certificate-path': text('FILE', 'Where the engine finds its certificate.'),
		'key-path': text('FILE', 'Where nginx finds its key.')
	}),
	subcommand('forward hash-password', 'Read a password from standard input, or ask for it, and print its hash for passwordHash.')
]
