/** Quitting: while jobs run or automatic releases wait the operator is asked once; a window may stay in the tray. */
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

/** What needs Cordon running. */
export interface OpenWork {
	readonly jobs: number
	/** Automatic releases of computers whose lease has not expired. */
	readonly releases: number
}

interface LeaveDependencies {
	open: () => OpenWork
	/** Resolves with whether to quit anyway. */
	ask: (question: LeaveQuestion) => Promise<boolean>
	/** Ends the program; asks `may` once more on its way. */
	quit: () => void
}

export interface LeaveQuestion {
	message: string
	detail: string
}

/**
 * Whether the program may end now. If not, the operator is being asked, and `quit` follows a yes. A signal that comes while the
 * question is open is a yes: nobody may see the window.
 */
export function createLeave({open, ask, quit}: LeaveDependencies): (bySignal?: boolean) => boolean {
	let state: 'free' | 'asking' | 'agreed' = 'free'
	const decide = async (work: OpenWork) => {
		state = 'asking'
		// A question that cannot be shown must not keep the program from ending.
		const agreed = await ask(leaveQuestion(work)).catch(() => true)
		state = agreed ? 'agreed' : 'free'
		if (agreed) quit()
	}
	return bySignal => {
		if (state === 'asking') return bySignal === true
		const work = open()
		if (state === 'agreed' || work.jobs + work.releases === 0) return true
		void decide(work)
		return false
	}
}

interface CloseDependencies {
	staysInTray: () => boolean
	/** Whether a panel shows tray icons now: it may be gone since the last time. */
	hasTray: () => Promise<boolean>
	hide: () => void
	mayLeave: () => boolean
	ask: LeaveDependencies['ask']
	quit: () => void
}

const noTrayQuestion: LeaveQuestion = {
	message: 'Quit Cordon? This desktop shows no tray icons.',
	detail:
		'Cordon is set to stay in the tray, but its window could not be opened from there. Forwarding, jobs and automatic releases need Cordon running. To keep it running, minimise the window instead.'
}

/** Says whether the window may close now. Into the tray it goes only where there is a way back out of it. */
export function createClose({staysInTray, hasTray, hide, mayLeave, ask, quit}: CloseDependencies) {
	let isDeciding = false
	const decide = async () => {
		if (await hasTray()) return hide()
		if (await ask(noTrayQuestion).catch(() => true)) quit()
	}
	return () => {
		if (!staysInTray()) return mayLeave()
		if (!isDeciding) void decide().finally(() => (isDeciding = false))
		isDeciding = true
		return false
	}
}

function leaveQuestion({jobs, releases}: OpenWork): LeaveQuestion {
	const waits = counted(releases, ['automatic release waits', 'automatic releases wait'])
	const stays = releases === 0 ? '' : 'Without Cordon, isolated computers stay isolated after their lease. '
	if (jobs === 0) return {message: `Quit Cordon while ${waits}?`, detail: stays.trim()}
	const isOne = jobs === 1
	const job = isOne ? 'the job' : 'the jobs'
	const resumes = `Cordon resumes ${job} if it starts again within 30 minutes. After that, resume ${isOne ? 'it' : 'them'} on the Jobs screen.`
	return {
		message: `Quit Cordon while ${counted(jobs, nouns.job)} ${isOne ? 'is' : 'are'} running?`,
		detail: `${stays}Quitting interrupts ${job}. Changes that were sent keep their state. ${resumes}`
	}
}
