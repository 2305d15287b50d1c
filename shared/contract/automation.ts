/** Procedures of schedules, rules and secrets of playbooks. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, given} from './base.ts'
import {automationSchema, ruleSchema, type AutomationView, type Firing, type RuleTrial} from '../model/automation.ts'

const id = z.string().min(1).max(40)

/** A header of a playbook names it as `$secret:NAME`. */
export interface NamedSecret {
	readonly name: string
	/** It is sent to this origin alone. */
	readonly origin: string
}

const named = z.object({name: z.string().min(1).max(100)})

export const automationContract = {
	list: base.output(type<readonly AutomationView[]>()),
	/** An empty ID creates a new one. Fails with `invalid_argument` and the field at fault, or `conflict` if `before` is outdated. */
	save: base.input(automationSchema.and(z.object({before: automationSchema.optional()}))).output(type<AutomationView>()),
	/** Pauses or resumes. */
	enable: given({id, enabled: z.boolean()}).output(type<AutomationView>()),
	remove: given({id}).output(type<void>()),
	/** Newest first. */
	firings: given({id: id.optional(), limit: z.int().min(1).max(500)}).output(type<readonly Firing[]>()),
	/** The effect of the rule on the stored events of these days. Starts nothing. */
	test: given({rule: ruleSchema, days: z.int().min(1).max(90)}).output(type<RuleTrial>()),
	/** Never with their values. */
	secrets: base.output(type<readonly NamedSecret[]>()),
	/** Replaces one of the same name. Fails with `invalid_argument` and the field at fault, or `secret_unavailable`. */
	setSecret: base.input(named.extend({origin: z.string().max(300), value: z.string().max(4000)})).output(type<void>()),
	removeSecret: base.input(named).output(type<void>()),
	/** The next times. Fails with `invalid_argument` for an invalid pattern or time zone. */
	times: given({times: z.string().max(100), timeZone: z.string().max(60)}).output(type<readonly string[]>())
}
