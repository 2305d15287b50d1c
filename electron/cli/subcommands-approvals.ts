import {choice, flag, subcommand, text, texts, type SubcommandSpec} from './subcommand-spec.ts'

const reason = text('TEXT', 'Reason for the answer.')
const key = text('NAME', 'Sign with this key. Its passphrase is asked for on the terminal.')

export const approvalSubcommands: readonly SubcommandSpec[] = [
	subcommand('approvals', 'List what waits for approval.', {all: flag('Include those that are over.')}),
	subcommand('approvals show ID', 'Show exactly what is approved, and by whom.'),
	subcommand('approvals approve ID', 'Approve. What was approved is carried out at once.', {as: key, reason}),
	subcommand('approvals deny ID', 'Deny.', {as: key, reason}),
	subcommand('approvals edit ID', 'Replace a change by an edited one, which is approved anew.', {
		arg: texts('NAME=VALUE', 'New value of an argument.')
	}),
	subcommand('approvals withdraw ID', 'Withdraw a request.', {reason}),
	subcommand('approvals export ID', 'Print a request, to be signed on another computer.'),
	subcommand('approvals accept FILE', 'Take a signature from a file.'),
	subcommand('plan sign FILE', 'Sign a plan or a request for approval. Nothing is sent.', {
		as: key,
		reason,
		out: text('FILE', 'Write to this file (default: standard output).'),
		deny: flag('Sign a denial.')
	}),
	subcommand('plan verify FILE SIGNATURE', 'Say whether a signature fits a plan or a request, and whose it is.'),
	subcommand('keys list', 'List the keys that are trusted, or were, and own ones.'),
	subcommand('keys create NAME', 'Create an Ed25519 key under a passphrase, and print its public part.'),
	subcommand('keys add NAME FILE', 'Trust a public key from a file.', {
		group: texts('GROUP', 'Group of the key.'),
		use: choice('USE', ['approve', 'publish'], 'What it counts for (default: approve).'),
		confirm: text('NAME', 'The name again.')
	}),
	subcommand('keys export KEY', 'Print the public part of a key.'),
	subcommand('keys revoke KEY', 'Trust a key no longer.', {reason})
]
