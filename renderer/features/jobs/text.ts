import { common, type Value } from '#shared/text/common.ts';

/** Texts of jobs. */
export const t = {
  ...common,
  allTargets: (targets: Value) =>
    `All ${targets} targets with their outcomes and times, whatever is shown. No call is made for it.`,
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
  jobStillRuns: 'The job still runs: the file tells how it stands now.',
  listOfComputers: 'list of computers',
  loadingApproved: 'Loading the approved plan',
  loadingCurrent: 'Loading the current state…',
  newPlanThese: 'A new plan of these alone; nothing is sent for it',
  newPlanUnsuccessful: 'A new plan of unsuccessful and unconfirmed targets. Their states were just checked.',
  noJobsYet: 'No jobs yet',
  noneRuns: ', none runs',
  orItsText: 'Or its text',
  partNameId: 'Part of a name or id',
  planFile: 'Plan from a file',
  planFileMore: 'Plan from a file…',
  planFileTitle: 'Plan file',
  plannedUtc: (createdBy: Value, createdAt: Value) =>
    `Planned by ${createdBy} at ${createdAt} UTC. Before sending, Cordon rechecks the targets; if one of them has changed, nothing is.`,
  planSavedHere:
    'A plan that was saved here or on another computer, such as by a colleague who reviewed it. It has to belong to this service. Its digest tells that it is the plan that was reviewed; it is no signature.',
  retry: (left: Value) => `Retry ${left}…`,
  reviewIt: 'Review it',
  runningOf: (running: Value) => `, ${running} running`,
  searchResults: 'Search results',
  startListNames: ', or start from a list of names.',
  thereNoSuch: 'There is no such job',
  toTheJobs: 'To the jobs',
  undoHistory: 'Undo history…',
} as const;
