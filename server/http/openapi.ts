import * as z from 'zod/mini'
import { errorCodes } from '../../contract/call-errors.ts'
import { type ErrorCode, errors } from '../../contract/errors.ts'
import { type Access, type Route, type RouteName, routes } from '../../contract/routes.ts'
import { type CallSchema, schemas } from '../../contract/schemas.ts'

interface JsonSchema {
  type?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  [keyword: string]: unknown
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  parameters: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: JsonSchema }[]
  requestBody?: { required: true; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema }> }>
  security: Record<string, string[]>[]
}

export interface OpenApi {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string; license: Record<string, string> }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

const accessLabels: Record<Access, string> = {
  public: 'Public.',
  'signed-in': 'Any signed-in customer.',
  self: 'The customer with this email.',
  'self-or-admin': 'The customer with this email, or an admin.',
  owner: "The order's customer.",
  'owner-or-admin': "The order's customer, or an admin.",
  admin: 'Admins.',
}

/** Creates the OpenAPI document from the schemas that validate the calls. */
export function openApi(): OpenApi {
  const paths: OpenApi['paths'] = {}
  const names = Object.keys(routes) as RouteName[]
  for (const [path, ofPath] of Map.groupBy(names, (name) => routes[name].path)) {
    const operations: Record<string, Operation> = {}
    for (const [method, calls] of Map.groupBy(ofPath, (name) => routes[name].method)) {
      operations[method.toLowerCase()] = describe(calls)
    }
    paths[path] = operations
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Torque Yard',
      version: '1',
      description:
        'Request and response bodies are JSON. Every error is { code, message, fields? }. Prices are in dollars.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api' }],
    paths,
    components: {
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: errorSchema() },
    },
  }
}

/** @param names calls that share one method and path; the body decides if there are several */
function describe(names: RouteName[]): Operation {
  const [first] = names
  if (first === undefined) throw new Error('An operation needs at least one call.')
  const { upload }: Route = routes[first]
  const schema: CallSchema = schemas[first]
  const bodies = names.flatMap((name) => {
    const { body }: CallSchema = schemas[name]
    return body ? [jsonSchema(body, 'input')] : []
  })
  const [body] = bodies
  return {
    operationId: first,
    summary: names.map((name) => routes[name].summary).join(' '),
    description: names.map((name) => `Access: ${accessLabels[routes[name].access]}`).join(' '),
    parameters: [
      ...parameters(schema.params, 'path'),
      ...parameters(schema.query, 'query'),
      ...parameters(schema.headers, 'header'),
    ],
    ...(upload && { requestBody: { required: true as const, content: bytes(upload.types) } }),
    ...(body && {
      requestBody: {
        required: true as const,
        content: json(bodies.length > 1 ? { anyOf: bodies } : body),
      },
    }),
    responses: {
      200: { description: 'Success.', content: json(jsonSchema(schema.reply, 'output')) },
      ...errorResponses(new Set(names.flatMap(errorCodes))),
    },
    security: names.map(
      (name): Record<string, string[]> => (routes[name].access === 'public' ? {} : { accessToken: [] }),
    ),
  }
}

/** Returns one response per status, with its possible error codes. */
function errorResponses(codes: Iterable<ErrorCode>): Operation['responses'] {
  const byStatus = Map.groupBy(codes, (code) => errors[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'),
        content: json({
          allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: ofStatus } } }],
        }),
      },
    ]),
  )
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

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest as JsonSchema
}

const bytes = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })

function errorSchema(): JsonSchema {
  return {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { enum: Object.keys(errors) },
      message: { type: 'string' },
      fields: { type: 'object', additionalProperties: { type: 'string' } },
    },
  }
}
