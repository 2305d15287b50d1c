/** Procedures of playbooks and their runs. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, connection, window} from './base.ts'
import type {LogEntry} from '../model/incident.ts'
import type {PlaybookDocument} from '../model/playbook-document.ts'
import {
	playbookRunFilters,
	type DryRun,
	type PlaybookDetail,
	type PlaybookProgress,
	type PlaybookRun,
	type PlaybookRunDetail,
	type PlaybookStepRun,
	type PlaybookSummary,
	type PlaybookVerdict
} from '../model/playbook.ts'
import type {TextFile} from '../model/text-file.ts'

const playbook = z.string().min(1).max(300)
const run = z.string().min(1).max(100)
const step = z.string().min(1).max(300)
const file = z.object({text: z.string().max(1_100_000)})

const startInput = z.object({
	playbook,
	version: z.string().max(64).optional(),
	connection,
	variables: z.record(z.string().max(210), z.string().max(262_144)),
	incident: z.string().nullable().default(null)
})

export const playbooksContract = {
	list: base.output(type<readonly PlaybookSummary[]>()),
	get: base.input(z.object({playbook, version: z.string().max(64).optional()})).output(type<PlaybookDetail>()),
	/** Stores nothing. Fails with `invalid_argument` unless it is a JSON object. */
	check: base.input(file).output(type<PlaybookVerdict>()),
	/** Adds a version. Fails with `invalid_argument` and the first error of an invalid playbook. */
	import: base.input(file).output(type<PlaybookDetail>()),
	export: base.input(z.object({playbook, version: z.string().max(64).optional()})).output(type<TextFile>()),
	tag: base.input(z.object({playbook, tags: z.array(z.string().min(1).max(50)).max(20)})).output(type<void>()),
	remove: base.input(z.object({playbook})).output(type<void>()),
	/** Resolves when the start is in the log; the run continues automatically. A key starts one run, and leads to it from then on. */
	start: base.input(startInput.extend({key: z.uuid()})).output(type<PlaybookRun>()),
	/** The effect of a start: reads for real, sends no change. */
	dryRun: base.input(startInput).output(type<DryRun>()),
	/** These log entries as a document. Stores nothing. */
	draft: base.input(z.object({entries: z.array(z.string().min(1).max(100)).min(1).max(500)})).output(type<PlaybookDocument>()),
	/** Newest first. */
	runs: base
		.input(
			z.object({
				search: z.string().max(200).optional(),
				state: z.enum(playbookRunFilters).optional(),
				/** Started at or after. */
				since: z.iso.datetime().optional(),
				/** Only the last one of each playbook. */
				last: z.boolean().optional(),
				...window
			})
		)
		.output(type<{rows: readonly PlaybookRun[]; matching: number}>()),
	run: base.input(z.object({run})).output(type<PlaybookRunDetail>()),
	/** What the screen of a run asks again and again: small, however many steps it has. */
	progress: base.input(z.object({run})).output(type<PlaybookProgress>()),
	/** Its rows, or those of one step of the document, newest first. */
	steps: base
		.input(
			z.object({
				run,
				step: step.optional(),
				/** Without inputs and earlier attempts; of an output, its beginning. */
				brief: z.boolean().default(false),
				offset: z.int().min(0),
				limit: z.int().min(1).max(10_000)
			})
		)
		.output(type<{rows: readonly PlaybookStepRun[]; matching: number}>()),
	pinned: base.input(z.object({run})).output(type<PlaybookDocument>()),
	/** The run's incident log entries, oldest first; of one step if named. */
	entries: base.input(z.object({run, step: step.optional()})).output(type<readonly LogEntry[]>()),
	/** The run as a file: its document, steps and log entries. */
	exportRun: base.input(z.object({run})).output(type<TextFile>()),
	pause: base.input(z.object({run})).output(type<void>()),
	resume: base.input(z.object({run})).output(type<void>()),
	/** Begins nothing more; sent changes keep their own state. */
	cancel: base.input(z.object({run})).output(type<void>()),
	retry: base.input(z.object({run, step: step.optional()})).output(type<void>()),
	skip: base.input(z.object({run, step, reason: z.string().trim().min(1).max(2000)})).output(type<void>()),
	/** With its key as at `start`. */
	again: base.input(z.object({run, newest: z.boolean(), key: z.uuid()})).output(type<PlaybookRun>()),
	answer: base
		.input(z.object({run, step: step.optional(), answer: z.string().min(1).max(10_000), reason: z.string().max(2000).nullable()}))
		.output(type<void>())
}
