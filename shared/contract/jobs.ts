/** Procedures of bulk work and of the undo history. Targets are frozen lists, never filters. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, connection, onConnection, window} from './base.ts'
import {surfaces} from '../model/incident.ts'
import {targetOutcomes, type AgreedPlan, type JobDetail, type JobPlan, type JobSummary, type JobWindow, type ReceiptWindow} from '../model/job.ts'
import {jobActionSchema, largestPlan} from '../model/job-plan.ts'
import type {FileStream, TextFile} from '../model/text-file.ts'
import type {UndoItem, UndoPreview, UndoResult} from '../model/undo-list.ts'

const job = z.object({id: z.string().min(1)})
const incident = z.string().nullable().default(null)
const surface = z.enum(surfaces).default('screen')
const confirm = z.string().max(300).optional()

const target = z.union([z.string().max(300), z.object({id: z.string().max(300), note: z.string().max(2000)})])

export const jobsContract = {
	/** Reads the states and sends no change. The plan is kept for 7 days, or until applied. */
	plan: base
		.input(
			z.object({
				connection,
				action: jobActionSchema,
				targets: z.array(target).max(largestPlan),
				stopShare: z.number().min(0).max(1).optional(),
				/** The operator reviewed the servers among them and means them. */
				reviewed: z.boolean().optional()
			})
		)
		.output(type<JobPlan>()),
	savePlan: base.input(job).output(type<TextFile>()),
	/** A plan from a file. Fails with `invalid_argument` and the field at fault if it is no plan of this connection. */
	importPlan: base.input(z.object({connection, text: z.string().max(80_000_000)})).output(type<JobPlan>()),
	/** Reads the states again, then starts. Fails with `plan_drifted` and the difference, or `confirmation_needed`. */
	apply: base.input(z.object({plan: z.string().min(1), confirm, surface, incident})).output(type<JobSummary>()),
	/** Stops sending; sent changes keep their own state. */
	stop: base.input(job).output(type<JobSummary>()),
	/** Resumes a job whose program ended. */
	resume: base.input(job).output(type<JobSummary>()),
	/** A new plan of failed, unsent and unconfirmed targets. */
	retryPlan: base.input(job).output(type<JobPlan>()),
	/** Those that have not ended, then the others; newest first. */
	list: base.input(z.object({connection: connection.optional(), ...window})).output(type<JobWindow>()),
	get: base.input(job).output(type<JobDetail>()),
	/** Up to 3 MB, with all skipped targets; loaded once. */
	agreed: base.input(job).output(type<AgreedPlan>()),
	receipts: base
		.input(
			z.object({job: z.string().min(1), outcomes: z.array(z.enum(targetOutcomes)).optional(), search: z.string().max(200).optional(), ...window})
		)
		.output(type<ReceiptWindow>()),
	export: base.input(job.extend({format: z.enum(['csv', 'json'])})).output(type<FileStream<object>>())
}

/** Moves, policies and hashes of the last 24 hours, from the incident log. */
export const undoContract = {
	/** Newest first; includes changes that cannot be undone, with the reason. */
	list: base.input(onConnection).output(type<readonly UndoItem[]>()),
	/** Loads the current state and returns what would be sent. Sends no change. */
	preview: base.input(z.object({connection, id: z.string().min(1)})).output(type<UndoPreview>()),
	/** Reads again, then sends. Fails with `plan_drifted` when someone has changed it since. */
	apply: base.input(z.object({connection, id: z.string().min(1), confirm, surface, incident})).output(type<UndoResult>())
}
