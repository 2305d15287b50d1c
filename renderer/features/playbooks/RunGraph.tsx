import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import type { PlaybookRunDetail } from '#shared/model/playbook.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { ScreenBody } from '../../ui/Screen.tsx';
import { LazyGraph } from './LazyGraph.tsx';
import { StepPanel } from './StepPanel.tsx';
import { marksOf } from './steps.ts';

/** The document as a picture, live while it runs, and the chosen step beside it. */
export function RunGraph({ run }: { readonly run: PlaybookRunDetail }) {
	const { queries } = useApi();
	const [chosen, setChosen] = useState<string | null>(null);
	const { data: document } = useQuery({
		...queries.playbooks.pinned.queryOptions({ input: { run: run.id } }),
		staleTime: Infinity,
	});
	const marks = useMemo(
		() => (document === undefined ? new Map() : marksOf(document, run.steps)),
		[document, run.steps],
	);
	const step = chosen === null ? undefined : document?.workflow[chosen];
	return (
		<ScreenBody>
			{document === undefined ? null : (
				<LazyGraph document={document} marks={marks} selected={chosen} onSelect={setChosen} />
			)}
			{chosen === null || step === undefined ? null : (
				<StepPanel run={run} id={chosen} step={step} onClose={() => setChosen(null)} />
			)}
		</ScreenBody>
	);
}
