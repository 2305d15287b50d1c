import { common, type Value } from '#shared/text/common.ts';

/** Texts of jobs. */
export const t = {
	...common,
	allTargets: (targets: Value) =>
		`All ${targets} targets with outcomes and times, whatever the filter. No API call is needed.`,
	approvedPlan: 'Approved plan',
	at: 'At',
	belongAnother: 'It may belong to another profile, or have been deleted with the local data.',
	chooseFile: 'Choose a file, or paste its text.',
	couldNotLoadApproved: 'Could not load the approved plan.',
	couldNotLoadJobs: 'Could not load the jobs',
	dropHere: 'or drop it here',
	exportTheResults: 'Export the results',
	isolateManyComputers: 'Isolate many computers…',
	jobIsolates: 'A job isolates, releases or moves many computers at once, with a result for each. Select them in the',
	jobsCannot: 'Jobs cannot start or resume. Results remain available.',
	jobStillRunning: 'The job is still running. The file shows its current state.',
	listOfComputers: 'list of computers',
	loadingApproved: 'Loading the approved plan',
	loadingCurrent: 'Loading the current state…',
	plansThese: 'Plans these targets only; sends nothing',
	newPlanUnsuccessful: 'A new plan of unsuccessful and unconfirmed targets. Their states were just checked.',
	noJobsYet: 'No jobs yet',
	noneRunning: ', none running',
	pasteText: 'Or paste its text',
	partNameId: 'Part of a name or id',
	planFile: 'Plan from a file',
	planFileMore: 'Plan from a file…',
	planFileTitle: 'Plan file',
	plannedUtc: (createdBy: Value, createdAt: Value) =>
		`Planned by ${createdBy} at ${createdAt} UTC. Before sending, Cordon rechecks the targets. If one has changed, nothing is sent.`,
	planSavedHere:
		'A plan saved here or on another computer, for example by a colleague who reviewed it. It must belong to this service. Its digest shows that it is the reviewed plan; it is not a signature.',
	retry: (left: Value) => `Retry ${left}…`,
	reviewPlan: 'Review plan',
	runningOf: (running: Value) => `, ${running} running`,
	searchResults: 'Search results',
	startListNames: ', or start from a list of names.',
	jobNotFound: 'Job not found',
	goJobs: 'Go to the jobs',
	undoHistory: 'Undo history…',
} as const;
