/** Oxlint plugin: the import table and the privileges of `table.mjs`. */
import {relative} from 'node:path'
import {fileURLToPath} from 'node:url'

import {refuseImport, refusePrivilege} from './decide.mjs'
import {holdsTexts, isProse, refuseText} from './words.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Files planted to break the rules mirror the checkout below this folder. */
const planted = 'build/layer-rule/planted/'

function pathOf(context) {
	const path = relative(root, context.filename).replaceAll('\\', '/')
	return path.startsWith(planted) ? path.slice(planted.length) : path
}

function report(context, node, message) {
	if (message !== undefined) context.report({node, message})
}

function textOf(node) {
	return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

const imports = {
	create(context) {
		const from = pathOf(context)
		const check = (node, source) => {
			const specifier = textOf(source)
			if (specifier !== undefined) report(context, node, refuseImport(specifier, from))
		}
		return {
			ImportDeclaration: node => check(node, node.source),
			ExportNamedDeclaration: node => check(node, node.source),
			ExportAllDeclaration: node => check(node, node.source),
			ImportExpression: node => check(node, node.source),
			TSImportType: node => check(node, node.source ?? node.argument?.literal ?? node.argument),
			CallExpression: node => node.callee.type === 'Identifier' && node.callee.name === 'require' && check(node, node.arguments[0])
		}
	}
}

const privilege = {
	create(context) {
		const from = pathOf(context)
		const check = (node, kind, name, source) => report(context, node, refusePrivilege(kind, name, from, source))
		return {
			ImportSpecifier(node) {
				// A type-only import grants no privilege.
				if (node.importKind === 'type' || node.parent.importKind === 'type') return
				check(node, 'import', node.imported.name ?? node.imported.value, textOf(node.parent.source))
			},
			NewExpression: node => check(node, 'new', node.callee.name),
			JSXAttribute: node => check(node, 'attribute', node.name.name),
			Property: node => check(node, 'attribute', node.key.name ?? node.key.value),
			MemberExpression(node) {
				const name = node.computed ? textOf(node.property) : node.property.name
				check(node, 'property', name)
				if (node.object.type === 'Identifier') check(node, 'member', `${node.object.name}.${name}`)
			}
		}
	}
}

/** Namespace imports of `node:process` and `import { env } from 'node:process'` would escape the member rule. */
const processModule = {
	create(context) {
		return {
			ImportDeclaration(node) {
				const source = textOf(node.source)
				if (source === 'node:process' || source === 'process')
					report(context, node, 'Use the global `process`, so that the rule for process.env sees it.')
			}
		}
	}
}

/** These compare only own fields, and a regular expression has none: it equals everything. */
const partial = new Set(['toMatchObject', 'objectContaining'])

function partialMatcherAround(node) {
	for (let at = node.parent; at !== null && at !== undefined; at = at.parent) {
		if (at.type === 'CallExpression') return partial.has(at.callee.property?.name) ? at.callee.property.name : undefined
		if (!['Property', 'ObjectExpression', 'ArrayExpression'].includes(at.type)) return undefined
	}
	return undefined
}

const pattern = {
	create(context) {
		return {
			Literal(node) {
				if (node.regex === undefined || node.regex === null) return
				const matcher = partialMatcherAround(node)
				if (matcher === undefined) return
				report(context, node, `Anything equals a pattern in ${matcher}: use expect.stringMatching.`)
			}
		}
	}
}

/** Texts use the words of the glossary. */
const words = {
	create(context) {
		if (!holdsTexts(pathOf(context))) return {}
		const check = (node, text) => report(context, node, refuseText(text))
		return {
			JSXText: node => check(node, node.value),
			Literal(node) {
				if (typeof node.value === 'string' && node.value.includes(' ')) check(node, node.value)
			},
			TemplateElement(node) {
				if (node.value.raw.includes(' ')) check(node, node.value.raw)
			}
		}
	}
}

/** The texts that an expression may evaluate to, without those that it only compares or passes on. */
function outcomes(node) {
	if (node?.type === 'ConditionalExpression') return [node.consequent, node.alternate].flatMap(outcomes)
	if (node?.type === 'LogicalExpression') return [node.left, node.right].flatMap(outcomes)
	if (node?.type === 'JSXExpressionContainer') return outcomes(node.expression)
	if (node?.type === 'TemplateLiteral') return [[node, node.quasis.map(({value}) => value.raw).join(' ')]]
	return textOf(node) === undefined ? [] : [[node, node.value]]
}

/** Prose stands in the `text.ts` of its feature, not in JSX. */
const prose = {
	create(context) {
		const path = pathOf(context)
		if (!/^renderer\/.*\.tsx$/.test(path) || path.includes('.test.')) return {}
		const check = (node, text, attribute) => isProse(text, attribute) && report(context, node, 'Put this text into the text.ts of its feature.')
		return {
			JSXText: node => check(node, node.value),
			JSXAttribute(node) {
				const name = node.name.type === 'JSXIdentifier' ? node.name.name : undefined
				for (const [at, text] of outcomes(node.value)) check(at, text, name ?? '')
			},
			JSXExpressionContainer(node) {
				if (node.parent.type === 'JSXAttribute') return
				for (const [at, text] of outcomes(node)) check(at, text)
			}
		}
	}
}

export default {meta: {name: 'cordon'}, rules: {imports, pattern, privilege, 'process-module': processModule, prose, words}}
