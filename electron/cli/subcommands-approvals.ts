/** The subcommands of approvals, of external signatures, and of the approvers' keys. */
import {flag, type OptionSpec, type SubcommandSpec, text} from './subcommand-spec.ts'

const id = {name: 'ID', required: true} as const
const file = {name: 'FILE', required: true} as const
const reason = text('TEXT', 'Reason for the answer.')
const key = text('NAME', 'Sign with this key. Its passphrase is asked for on the terminal.')
const out = text('FILE', 'Write to this file (default: standard output).')
const group = {takes: 'text', value: 'GROUP', summary: 'Group of the key.', many: true} as const satisfies OptionSpec

export const approvalSubcommands: readonly SubcommandSpec[] = [
	{name: 'approvals', summary: 'List what waits for approval.', words: [], options: {all: flag('Include those that are over.')}},
	{name: 'approvals show', summary: 'Show exactly what is approved, and by whom.', words: [id], options: {}},
	{name: 'approvals approve', summary: 'Approve. What was approved is carried out at once.', words: [id], options: {as: key, reason}},
	{name: 'approvals deny', summary: 'Deny.', words: [id], options: {as: key, reason}},
	{
		name: 'approvals edit',
		summary: 'Replace a change by an edited one, which is approved anew.',
		words: [id],
		options: {arg: {takes: 'text', value: 'NAME=VALUE', summary: 'New value of an argument.', many: true}},
	},
	{name: 'approvals withdraw', summary: 'Withdraw a request.', words: [id], options: {reason}},
	{name: 'approvals export', summary: 'Print a request, to be signed on another computer.', words: [id], options: {}},
	{name: 'approvals accept', summary: 'Take a signature from a file.', words: [file], options: {}},
	{
		name: 'plan sign',
		summary: 'Sign a plan or a request for approval. Nothing is sent.',
		words: [file],
		options: {as: key, reason, out, deny: flag('Sign a denial.')},
	},
	{
		name: 'plan verify',
		summary: 'Say whether a signature fits a plan or a request, and whose it is.',
		words: [file, {name: 'SIGNATURE', required: true}],
		options: {},
	},
	{name: 'keys list', summary: 'List the keys that are trusted, or were, and own ones.', words: [], options: {}},
	{
		name: 'keys create',
		summary: 'Create an Ed25519 key under a passphrase, and print its public part.',
		words: [{name: 'NAME', required: true}],
		options: {},
	},
	{
		name: 'keys add',
		summary: 'Trust a public key from a file.',
		words: [{name: 'NAME', required: true}, file],
		options: {
			group,
			use: {takes: 'text', value: 'USE', summary: 'What it counts for (default: approve).', choices: ['approve', 'publish']},
			confirm: text('NAME', 'The name again.'),
		},
	},
	{name: 'keys export', summary: 'Print the public part of a key.', words: [{name: 'KEY', required: true}], options: {}},
	{name: 'keys revoke', summary: 'Trust a key no longer.', words: [{name: 'KEY', required: true}], options: {reason}},
]
