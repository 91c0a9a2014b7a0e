"""A small case of another subject, with every kind of turn, for the tests of this room."""

CASE = """
cases:
  - id: shop
    title: A shop that grows
    level: senior
    minutes: 10
    opening: A shop's database gets slow. Since the spring sale.
    facts:
      - {id: reads, ask: ["{how many} reads|queries"], say: "2,000 reads a second."}
      - {id: size, ask: ["size|large|big table|database"], say: "400 GB."}
      - {id: stale, ask: ["stale|{how old}"], say: Ten seconds., after: pick}
      - {id: redis, ask: ["redis|memcached"], say: "Yes, one of 64 GB.", leave: true}
    terms:
      lag: {is: How far a replica is behind., also: [replication lag]}
    values:
      replicas: {say: [replica*, read replica*], draws: [1, 2, 4, 8], usual: 2}
    phases:
      - {id: scope, title: Scope, minutes: 4}
      - {id: design, title: Design, minutes: 6}
    signals: {asking: Asks first, design: Designs}
    turns:
      - id: ask
        phase: scope
        kind: open
        ask: What do you want to know?
        signal: asking
        full_marks: 2
        leave: Then let us begin.
        model_answer: How many reads are there, and how large is the table?
      - id: plan
        phase: design
        kind: text
        ask: What do you change?
        model_answer: I add read replicas behind a cache, because nearly all of it is reads.
        rubric:
          criteria:
            - {id: replicas, signal: design, points: 2, say: Reads go to replicas., accept: ["read replica*", "replica* serve|answer|take reads"], reject: ["replica* take|serve writes"], probe: Where do the reads go?}
            - {id: cache, signal: design, say: A cache takes the hot rows., accept: ["cache*|redis|memcached"], probe: And the rows that everybody reads?}
        when:
          - {if: {value: {replicas: ">4"}}, say: "{replicas} is many.", then: lag}
          - {if: {unasked: reads, unmet: cache}, say: You never asked how much is read., again: true}
      - id: lag
        phase: design
        kind: numeric
        only: branched
        ask: With {replicas} replicas, how many reads a second does each serve?
        from: [replicas]
        formula:
          title: Reads of one replica
          inputs: {replicas: {is: replicas, unit: 1, min: 1}}
          steps: {each: 2000 / replicas / 1 s}
          unit: "1/s"
        signal: design
      - id: pick
        phase: design
        kind: choice
        ask: Which of these can go stale?
        key: A replica's row
        distractors: [The primary's row, A committed write on the primary]
        signal: design
"""
