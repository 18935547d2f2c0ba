import * as z from 'zod/mini'
import { callDocs, errorCodes } from '../../contract/call-docs.ts'
import { errors } from '../../contract/errors.ts'
import { type Access, type Route, type RouteName, routes } from '../../contract/routes.ts'
import { type CallSchema, CsvFile, schemas } from '../../contract/schemas.ts'

const accessLabels: Record<Access, string> = {
  public: 'Public.',
  'signed-in': 'Any signed-in customer.',
  self: 'The customer with this email.',
  'self-or-staff': 'The customer with this email, or staff with the permission',
  owner: 'The customer who owns it.',
  'owner-or-staff': 'The customer who owns it, or staff with the permission',
  'owner-or-key': 'The customer who owns it, or a guest with its key.',
  'owner-staff-or-key': 'The customer who owns it, a guest with its key, or staff with the permission',
  staff: 'Staff with the permission',
}

function describeAccess({ access, permission }: Route): string {
  const names = [permission ?? []].flat().map((each) => `\`${each}\``)
  return names.length === 0 ? accessLabels[access] : `${accessLabels[access]} ${names.join(' or ')}.`
}

export type OpenApi = ReturnType<typeof openApi>

/** Creates the OpenAPI document, without its title, from the schemas that validate the calls. */
export function openApi() {
  const names = Object.keys(routes) as RouteName[]
  const paths: Record<string, Record<string, ReturnType<typeof describe>>> = {}
  for (const name of names) {
    const { method, path } = routes[name]
    const operations = (paths[path] ??= {})
    operations[method.toLowerCase()] ??= describe(
      name,
      names.filter((other) => routes[other].path === path && routes[other].method === method),
    )
  }
  return {
    openapi: '3.1.0',
    info: {
      version: '1',
      description:
        'Request and response bodies are JSON. Every error is { code, message, fields?, requestId }. Prices and amounts are dollars with at most two decimals.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api' }],
    paths,
    components: {
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: { enum: Object.keys(errors) },
            message: { type: 'string' },
            fields: { type: 'object', additionalProperties: { type: 'string' } },
            requestId: { type: 'string', description: 'The X-Request-Id of the response.' },
          },
        },
      },
    },
  }
}

/** @param names all calls with the method and path of `first`; the body decides if there are several */
function describe(first: RouteName, names: RouteName[]) {
  const { upload }: Route = routes[first]
  const { params, query, headers }: CallSchema = schemas[first]
  const bodies = names
    .flatMap((name) => (schemas[name] as CallSchema).body ?? [])
    .map((schema) => jsonSchema(schema, 'input'))
  const content = upload ? bytes(upload.types) : bodies[0] && json(anyOf(bodies))
  return {
    operationId: first,
    summary: names.map((name) => callDocs[name].summary).join(' '),
    description: names.map((name) => `Access: ${describeAccess(routes[name])}`).join(' '),
    parameters: [
      ...parameters(params, 'path'),
      ...parameters(query, 'query'),
      ...parameters(headers, 'header'),
    ],
    ...(content && { requestBody: { required: true, content } }),
    responses: describeResponses(names),
    security: [
      ...(names.some((name) => routes[name].access !== 'public') ? [{ accessToken: [] }] : []),
      ...(names.some((name) => /^public$|-or-key$/.test(routes[name].access)) ? [{}] : []),
    ],
  }
}

/** Returns the success response, and one response for each error status of these calls. */
function describeResponses(names: RouteName[]): Record<string, { description: string; content: object }> {
  const byStatus = Map.groupBy(new Set(names.flatMap(errorCodes)), (code) => errors[code].status)
  const failures = [...byStatus].map(([status, codes]) => {
    const code = { properties: { code: { enum: codes } } }
    return [
      status,
      {
        description: codes.map((each) => `\`${each}\`: ${errors[each].message}`).join('\n\n'),
        content: json({ allOf: [{ $ref: '#/components/schemas/Error' }, code] }),
      },
    ]
  })
  const replies = [...new Set(names.map((name): z.ZodMiniType => schemas[name].reply))]
  const content = replies.includes(CsvFile)
    ? bytes(['text/csv'])
    : json(anyOf(replies.map((reply) => jsonSchema(reply, 'output'))))
  return { 200: { description: 'Success.', content }, ...Object.fromEntries(failures) }
}

function parameters(schema: z.ZodMiniType | undefined, location: 'path' | 'query' | 'header') {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input')
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    schema: property,
  }))
}

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

const anyOf = (choices: object[]) => (choices.length === 1 ? { ...choices[0] } : { anyOf: choices })

const bytes = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))

const json = (schema: object) => ({ 'application/json': { schema } })
