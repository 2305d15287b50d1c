import {useEffect, useRef, useState} from 'react'

import type {CordonError} from '#contract/errors.ts'
import type {JobAction, JobPlan} from '#model/job.ts'
import {typedProblem} from '#model/typed.ts'
import {useConnected, useSettings} from '#api/hooks.tsx'
import {asCordonError} from '#api/errors.ts'
import type {Client} from '#api/wire.ts'
import {useUi} from '#state/ui.tsx'

interface PlanRequest {
	action: JobAction
	targets: PlanTargets
	/** The operator reviewed the servers and means them. */
	reviewed?: boolean
	/** 0 to 1. */
	stopShare?: number
}

/** Or how another planner is asked. */
type Ask = PlanRequest | ((signal: AbortSignal) => Promise<JobPlan>)

/** From a request to a reviewed plan, and from there to a job. Planning sends no change. */
export type PlanFlow = ReturnType<typeof usePlanFlow>

export function usePlanFlow(given: JobPlan | null = null, reviewed = true) {
	const {client, connection} = useConnected()
	const {activeIncident: incident} = useSettings()
	const leaveSelections = useUi(ui => ui.leaveSelections)
	const [plan, setPlan] = useState(given)
	const [phase, setPhase] = useState<'none' | 'planning' | 'planned' | 'applying' | 'applied'>(given === null ? 'none' : 'planned')
	/** The job's id, once the plan was applied. */
	const [job, setJob] = useState<string | null>(null)
	const [failed, setFailed] = useState<CordonError | null>(null)
	/** What changed since planning, until there is a new plan; then nothing was sent. */
	const [drift, setDrift] = useState<ReturnType<typeof driftIn>>([])
	const [typed, setTyped] = useState('')
	const [tried, setTried] = useState(false)
	const asked = useRef<Ask | null>(null)
	const stop = useRef<AbortController | null>(null)

	// Closing the dialog cancels the planning, and what is read before the job starts.
	useEffect(() => () => stop.current?.abort(), [])

	const inputOf = ({action, targets, ...rest}: PlanRequest) => ({connection, action: actionInput(action), targets: [...targets], ...rest})
	const make = async (ask: Ask) => {
		stop.current?.abort()
		const {signal} = (stop.current = new AbortController())
		asked.current = ask
		setPhase('planning')
		setFailed(null)
		setTyped('')
		setTried(false)
		try {
			const made = await (typeof ask === 'function' ? ask(signal) : client.jobs.plan(inputOf(ask), {signal}))
			setPlan(made)
			setDrift([])
			setPhase('planned')
			return made
		} catch (error) {
			if (signal.aborted) return null
			setFailed(asCordonError(error))
			setPhase(plan === null ? 'none' : 'planned')
			return null
		}
	}
	/** Plans the same targets again from their present state. */
	const again = () => {
		const ask = asked.current ?? (plan && requestOf(plan, reviewed))
		if (ask !== null) void make(ask)
	}
	const apply = async () => {
		if (plan === null || phase !== 'planned') return null
		setTried(true)
		if (typedProblem(plan.confirmation, typed) !== null) return null
		const {signal} = (stop.current = new AbortController())
		setPhase('applying')
		setFailed(null)
		try {
			const id = await beginJob(client, plan.id, {confirm: typed.trim(), surface: 'screen', incident}, signal)
			leaveSelections(
				connection,
				plan.targets.map(({id: target}) => target)
			)
			setJob(id)
			setPhase('applied')
			return id
		} catch (error) {
			if (signal.aborted) return null
			const failure = asCordonError(error)
			setFailed(failure)
			setDrift(driftIn(failure))
			setPhase('planned')
			return null
		}
	}
	return {
		...{phase, plan, job, failed, drift, typed, type: setTyped, make, again, apply},
		/** The typed confirmation's fault, after the first attempt. */
		problem: tried && plan !== null ? typedProblem(plan.confirmation, typed) : null,
		reset: () => {
			stop.current?.abort()
			asked.current = null
			setPlan(null)
			setJob(null)
			setPhase('none')
			setFailed(null)
			setDrift([])
		}
	}
}

type Begun = Parameters<Client['jobs']['apply']>[0]

/** The job has the id of its plan. Where it was begun already, the answer to that was lost. `signal` ends the reading before. */
export async function beginJob(client: Client, plan: string, request: Omit<Begun, 'plan'>, signal: AbortSignal): Promise<string> {
	try {
		await client.jobs.apply({...request, plan}, {signal})
	} catch (error) {
		const {code, details} = asCordonError(error)
		if (code !== 'taken' || details.field !== 'plan') throw error
	}
	return plan
}

function requestOf(plan: JobPlan, reviewed: boolean) {
	return {action: plan.action, targets: targetsOf(plan), reviewed, stopShare: plan.stopShare}
}

function driftIn(failed: CordonError) {
	return failed.details.drift ?? []
}

type PlanTargets = readonly (string | {id: string; note: string})[]

/** Copies the lists, because the wire's types are mutable. */
export function actionInput(action: JobAction) {
	if (action.kind === 'change_hashes') return {...action, removes: [...action.removes]}
	if (action.kind === 'policies') return {...action, policies: {...action.policies}}
	return action.kind === 'isolate' ? {...action, lease: {...action.lease}} : {...action}
}

/** The targets of a plan, to plan them again. */
export function targetsOf({targets}: Pick<JobPlan, 'targets'>): PlanTargets {
	return targets.map(({id, note}) => (note === null ? id : {id, note}))
}
