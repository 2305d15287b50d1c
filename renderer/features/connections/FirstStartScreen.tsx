import {useUi} from '#state/ui.tsx'
import {useSetSettings} from '#api/hooks.tsx'
import {Button} from '#ui/Button.tsx'
import styles from './connections.module.css'
import {DraftFields} from './DraftFields.tsx'
import {t} from './text.ts'
import {useConnectionForm} from './use-connection-form.ts'
import {useDraftTest} from './use-test.ts'

/** The first screen without a connection: one form, no account, no questions. */
export function FirstStartScreen() {
	const form = useConnectionForm(null)
	const draftTest = useDraftTest(form, null)
	const {test, tryOut} = draftTest
	const setActive = useUi(ui => ui.setActiveConnection)
	const setSettings = useSetSettings()
	const connect = async () => {
		const saved = await form.save()
		if (saved === null) return
		setActive(saved.id)
		setSettings({activeConnection: saved.id})
	}
	return (
		<div className={styles.first}>
			<div className={styles.sheet}>
				<h1 className={styles.hello}>{t.connectYourService}</h1>
				<p className="soft">
					{t.cordonNeeds} <code>{t.noSandbox}</code>.
				</p>
				<DraftFields form={form} draftTest={draftTest} stored={null} focus="name" />
				<div className={styles.cardActions}>
					<Button tone="primary" onPress={() => void connect()} reason={form.isSaving ? t.saving : null}>
						{t.connect}
					</Button>
					<Button onPress={tryOut} reason={test.isRunning ? t.testRunning : null}>
						{t.testFirst}
					</Button>
				</div>
			</div>
		</div>
	)
}
