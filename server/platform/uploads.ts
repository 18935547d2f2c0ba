import type { FastifyInstance } from 'fastify'
import { allowTime } from './client-errors.ts'

/** Ten minutes: 40 MB over a line of 0.5 Mbit/s. */
const longestUpload = 600_000

/** Lets the calls of a room take these kinds of content, as the bytes that they are, and nothing else. */
export function takeUpload(
  room: FastifyInstance,
  { types, mostBytes }: { types: readonly string[]; mostBytes: number },
): FastifyInstance {
  room.removeAllContentTypeParsers()
  room.addContentTypeParser([...types], { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, body, done) =>
    done(null, body),
  )
  room.addHook('preParsing', async (request) => allowTime(request, longestUpload))
  return room
}
