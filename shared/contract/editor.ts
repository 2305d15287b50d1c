/** Procedures of the file-list editor: changes are staged, reviewed, and committed as a job. Nothing is sent here. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, connection, given, window} from './base.ts'
import {hashSourceSchema, draftViews, listOperations, type DraftRow, type DraftState, type SourceReport} from '../model/list-draft.ts'
import type {JobPlan} from '../model/job.ts'
import type {TextFile} from '../model/text-file.ts'

const onDraft = z.object({connection, list: z.string().min(1)})
const keys = z.array(z.string().min(1).max(200)).max(100_000)

export interface DraftWindow {
	readonly rows: readonly DraftRow[]
	readonly offset: number
	readonly matching: number
	readonly revision: number
}

/** The result of staging; `state` is the new draft. */
export type Staged = Readonly<{
	added: number
	/** Staged before, now with another operation or note. */
	changed: number
	repeated: number
	report: SourceReport
	state: DraftState
}>

/** One list against a file or another list, by hash. */
export type ListDifference = Readonly<{
	onlyHere: readonly string[]
	onlyThere: readonly string[]
	both: number
	/** Missing data, in a sentence. */
	uncertain: string | null
}>

export type HashStep = {kind: 'progress'; bytes: number} | {kind: 'hashed'; sha256: string}

export const editorContract = {
	/** Preview of a file; nothing is staged. */
	inspect: base.input(hashSourceSchema).output(type<SourceReport>()),
	/**
	 * Hashes a file of this computer, once, by a ticket from the desktop window, where a person chose or dropped it. Paths cannot
	 * be given, and there are no tickets in a browser.
	 */
	hashFile: given({ticket: z.string().regex(/^[0-9a-f]{32}$/)}).output(type<AsyncIteratorObject<HashStep, void>>()),
	state: base.input(onDraft).output(type<DraftState>()),
	rows: base.input(onDraft.extend({view: z.enum(draftViews).default('all'), ...window})).output(type<DraftWindow>()),
	keys: base.input(onDraft.extend({view: z.enum(draftViews)})).output(type<readonly string[]>()),
	stage: base.input(onDraft.extend({operation: z.enum(listOperations), source: hashSourceSchema})).output(type<Staged>()),
	/** `note`, or the reason for wanting red rows (`null` removes it). */
	annotate: base
		.input(onDraft.extend({keys, note: z.string().trim().max(1000).optional(), reason: z.string().trim().min(1).max(500).nullable().optional()}))
		.output(type<DraftState>()),
	drop: base.input(onDraft.extend({keys})).output(type<DraftState>()),
	/**
	 * The ready rows as one plan, with notes; nothing is sent. Rows leave the draft when the job reports them done. Fails with
	 * `usage` without ready rows, or when the list is not completely loaded.
	 */
	plan: base
		.input(
			onDraft.extend({
				reason: z.string().trim().min(1, 'is empty: say why').max(500),
				/** Only rows left by this job. */
				retryOf: z.string().min(1).optional()
			})
		)
		.output(type<JobPlan>()),
	discard: base.input(onDraft).output(type<DraftState>()),
	/** Queries the service for the number of computers that have seen each: one call each. Resolves at the end. */
	prevalence: base.input(onDraft.extend({keys: keys.max(200, 'are more than 200: ask for fewer at once')})).output(type<DraftState>()),
	difference: base
		.input(onDraft.extend({with: z.union([z.object({list: z.string().min(1)}), z.object({source: hashSourceSchema})])}))
		.output(type<ListDifference>()),
	export: base.input(onDraft.extend({format: z.enum(['csv', 'json'])})).output(type<TextFile>())
}
