import {hasNoViolations} from '../axe.ts'
import {goTo} from '../jobs.ts'
import {listIsRead} from '../screens.ts'
import {expect, test} from './desktop.ts'

test('light and dark follow the system, high contrast wins over it, and everything can be read', async ({shared}) => {
	const {page, electron} = shared
	// Playwright otherwise reports light, whatever the system says.
	await page.emulateMedia({colorScheme: null})
	const system = (theme: 'light' | 'dark' | 'system') => electron.evaluate(({nativeTheme}, to) => void (nativeTheme.themeSource = to), theme)
	const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
	const choose = (name: string) => page.getByRole('radiogroup', {name: 'Theme'}).getByText(name, {exact: true}).click()
	const isReadable = async () => {
		await goTo(page, '/computers')
		await listIsRead(page)
		await hasNoViolations(page, ['color-contrast'])
		await goTo(page, '/settings')
	}
	await goTo(page, '/settings')
	await system('light')
	await expect.poll(background).toBe('rgb(246, 247, 249)')
	await system('dark')
	await expect.poll(background).toBe('rgb(14, 17, 22)')
	await isReadable()
	await choose('High contrast')
	await expect.poll(background).toBe('rgb(0, 0, 0)')
	await isReadable()
	await choose('Light')
	await expect.poll(background).toBe('rgb(246, 247, 249)')
	await choose('Follow the system')
	await expect.poll(background).toBe('rgb(14, 17, 22)')
	await system('system')
})
