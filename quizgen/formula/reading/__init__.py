"""Reading what candidates write as answers. The face of the room is `reading.read`: `read`, `amount_at`, and `Asked`,
`Reading` and `Refusal` of `reading.answer`."""
