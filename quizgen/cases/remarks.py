"""Remarks about the conversation itself, by kind: examples, and the interviewer's reply to a text like them."""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

REPEAT: Final = "repeat"  # wants to hear the question again
WAIT: Final = "wait"
SMALL: Final = "small talk"  # small talk, and remarks with the same reply in every turn
HELP: Final = "help"  # does not know the answer
SKIP: Final = "skip"
CLARIFY: Final = "clarify"  # asks for the meaning of a word
LEAVE: Final = "leave"  # asks for permission
RECAP: Final = "{known}"  # the reply that lists what is known
IN_SHORT: Final = "In short: {question} {form}"
EITHER: Final = "Either is fine: take one, say which, and begin."


@dataclass(frozen=True, slots=True)
class Remark:
    """A kind of remark with sentences as `examples`. `reply` has placeholders: {question} and {whole} (the question,
    shortened and in full), {form} (of an answer), {part} (of the case), {known} (facts) and {setup} (changed facts);
    it is empty where the conversation has a reply of its own."""

    kind: str
    reply: str
    examples: str


NOTHING: Final = Remark("", "", "")
REMARKS: Final = (
    Remark(
        REPEAT, "{whole}",
        """Could you repeat the question? Say that again please. Sorry, what was the question? I missed the first half
        of that. I only caught the end of it. What did you ask? You lost me halfway through. Read me the question
        again. The last bit got swallowed. I didn't hear the middle. Come again. One more time please. Run that past
        me again. What was that? The question again please. I was writing, what did you say. Once more from the
        beginning. You cut out while you were asking. You froze, what did you say. I zoned out for a second, what
        were you asking. You are breaking up, I only hear every other word. The line dropped, what was the last
        thing. Sorry, my screen froze, I missed that. Where were we? The sound went away, I got nothing of that. You
        trailed off at the end. Pardon. I beg your pardon. Excuse me. Huh. Can you say that once more? Would you
        mind repeating that? You broke up there for a second. I think I lost you. Hang on, what did you want me to
        work out? You are cutting out. My apologies, I was not listening, what was the question. I was distracted,
        what did you say. Could I hear that one more time? I missed the middle part. The sound cuts out. Sorry?
        Sorry, what? What? Say what? I tuned out, could you go over it again? What was the last number you said? I
        missed most of that. Could you go back to the question? Can you start over? I didn't get that. That went
        past me. I only got half of it. What was the second half of the question? Say that last sentence again. Was
        there more to the question? My attention slipped. I see you but I don't hear you. Sorry, the line cut out
        for a second. Could you read that one again? The last sentence didn't reach me. Would you read that out once
        again?""",
    ),
    Remark(
        SMALL, "I speak up. Once more: {whole}",
        """Could you speak up? A bit louder please. You are very quiet. I can hardly hear you. Turn up your microphone.
        Your volume is low. You sound far away. The sound is very faint. Can you raise your voice a little? I can
        barely hear you. Your microphone is too quiet. Your voice is low, come closer to the microphone. You sound
        like you are under water. I can't make you out.""",
    ),
    Remark(
        SMALL, "Of course, slowly: {whole}",
        """Could you say that more slowly? Slower please. You speak a little fast for me. Not so fast please. Slow down
        a bit. That was too quick for me. English is not my first language, go slowly. One word at a time please.
        Would you mind slowing down? Say it in a slower way. You talk rather quickly. Easier on me please, that was
        quick. Take it a notch slower. Can you say it at half the speed? Please don't rush. You lost me with the
        pace.""",
    ),
    Remark(
        SMALL, "I am here and hear you well. I asked: {question}",
        """Can you hear me? Can you see me? Are you still there? Is anyone there? Hello, are you back? Am I muted? Is
        my microphone on? Did you hear what I said? My headset is acting up, can you hear me okay. Can you still see
        my screen? You went quiet, are you there. Do you hear me well? Hello, anyone there. Is this thing on? Are
        you still with me? Did I lose you? Is my line working? Can you hear anything? Did my last answer come
        through? Do I come across well? Was that you or me, that beep?""",
    ),
    Remark(
        SMALL, "No problem, I hear you. I asked: {question}",
        """My connection is a bit unstable. There is an echo on the line. Sorry, my dog is barking. There is noise
        outside my window. My camera does not work. I have to change my headset. Let me close the door. My phone is
        ringing, sorry. The kids are loud today, sorry. The wifi is bad here. I keep hearing myself. Someone is
        drilling next door. Let me switch to another microphone. The sound cuts out now and then. The video lags a
        bit. The doorbell rang, sorry about that. The internet is slow today. The picture is stuck. My laptop is
        very slow today. Excuse the noise, they are building next door. My battery is running low. The laptop fan is
        going crazy. The battery is dying, I need to plug in. Can we turn the cameras off, my bandwidth is poor. My
        chair squeaks, sorry. The neighbours are loud. I have to mute for a second. There is a delay on my side.
        There is a drill going outside my window. Someone is at the door. Your microphone is off, I see your lips
        moving. The picture is frozen on my side. My cat jumped on the keyboard. There was a loud bang outside.""",
    ),
    Remark(
        CLARIFY, "Which word do you mean? Ask “what is …?” with it.",
        """What does that word mean? I don't know that term. I have never heard that acronym. What do you mean by this
        word? Which sense of the word do you have in mind? How do you define this? What does it stand for? By that
        do you mean one or many. How are you using this word? What counts as one? What is your definition? When you
        say that, is it one or the whole? That term is new to me. What do you call that? Is that word used for
        something else? Not sure I know what this means. What do you understand by it? Remind me what that
        abbreviation is. By that you mean one of them, right. That being what, sorry. I'm not familiar with that
        term. That word is used in different ways. You said that, meaning what exactly? How would you explain that
        to a beginner? Is that a technical term? What do people here call that? What's that? Explain that expression
        to me.""",
    ),
    Remark(
        SMALL, IN_SHORT,
        """What do you want from me exactly? I am not sure what you are asking. What are you after here? What are you
        getting at? So you want a number from me? You want me to design something, is that right. What kind of
        answer are you looking for? What am I supposed to do? I don't understand the question. I don't quite follow
        the question. Could you put it another way? Could you rephrase it in simpler words? Can you boil that down
        to one sentence? What is the actual question? Is this about cost or about speed? Is this a question about
        the network? Is that the whole question? Is it one question or two? Just to check I understood, you want the
        cause and not the fix. So I should compare the options and not pick one. Do I have that right, you want an
        estimate? The question is a bit vague. Can you give me an example of what you expect? Would you like the
        cause or the fix? Do you want the average or the worst case? I don't see what the point is. Let me make sure
        I get it. In other words, you need a plan from me. What should come out in the end? Which part of that
        should I tackle first? So you would like an estimate? Just so I have it straight, you want a design. Is it
        the cause you are after or what I would do next? What do you want to hear from me? I'm not certain I
        understood the task. Can you say it in plain terms? Why do you ask? What does a good answer look like? Which
        of the two things do you want from me? What do you mean? How do you mean that? What do you mean exactly? Was
        there a second part to the question? Is it a trick question? Is this a design question? So the question is
        how it scales, correct? Do you want numbers or just the idea? What would you like to have from me? What is
        the task? So I should find the cause, yes? Are you asking about the normal day or the bad day? I'm unsure
        what to answer to that. What exactly should I compute? Where should this lead? What would help you most?""",
    ),
    Remark(
        SMALL, "{form} I ask where I want more. {part}",
        """How detailed should I be? How much detail do you want? How deep should I go? Should I keep it short? Is a
        sentence enough? How long should my answer be? The short version or the long one. Do you want a full
        derivation? Would a one-liner do? Do you want a proof? A quick answer or a thorough one. Should I go into
        depth here? Bullet points or full sentences. Just the headlines or the gory details. Should I stay at a high
        level? Tell me when to stop. I could talk about this for hours. Am I spending too long on this? Do you want
        the big picture or the details? Am I going too deep? How many sentences do you want? Keep it brief or
        elaborate. Is a one-liner okay here? Do I need to justify it? Should I explain why? Shall I give reasons? Do
        you want me to go through every step? The two-minute version or the long one. I can go into more detail if
        you like. Tell me if I am going too deep. Is a one liner OK here? Should I walk you through all the steps?
        Do you prefer the executive summary? How long would you like me to speak? Is there a word limit? Would one
        sentence do? Should I spell it out? A list or prose? Is that level of detail okay? How far should I take
        this? Shall I stop here? Is that enough? Do you want to hear more? Should I continue?""",
    ),
    Remark(
        SMALL, "{part}",
        """How much time do I have? How long have we got left? How many minutes are left? How many questions are there
        still? Which part are we in? Is this the last question? Are we nearly done? Are we done? Is that it? Is that
        everything? What comes next? What comes after this? Have we finished this section? When does this part end?
        How long does the interview take? Are we on schedule? Am I running out of time? Do I have time to go through
        all of it? Is there time left? Is this still the first part? Have we moved on? How far through are we? How
        many parts are there? Is it over? How many more? Is there much more to come? Are we there yet? Have we got
        much longer? How long is this going to take? Is this the end? Time check please. How far along are we?
        What's the plan for the rest of the hour? Is there more to this case? Will we get to the design part as
        well? Time's up, right? How many are left? Where are we in the schedule? When are we finished? What is still
        ahead of us? How is our time? Is there a time limit for this one? How am I doing for time? Am I on time? How
        late is it?""",
    ),
    Remark(
        SMALL, "Two digits are enough: round as you go, and say the unit.",
        """How precise should it be? How exact do you need it? Is a rough number enough? Is an order of magnitude fine?
        Do you want a ballpark? How many digits? Can I round? Is an estimate okay? I am bad at mental arithmetic. To
        the nearest power of ten. Will roughly do. Shall I be exact? I will be sloppy with the numbers. Can I use
        round numbers? I hate doing sums in my head. A ballpark figure or three significant digits. Back of the
        envelope all right. I may be off by a few percent. To the nearest what. An order of magnitude will do, won't
        it. I'm not going to do this to three digits. Can I take a day as a hundred thousand seconds? Let me round
        generously. How many decimal places? Do decimals matter? Within a factor of two, good enough? Does it have
        to be accurate? Is a guess okay? Can I be off by ten percent? Would a rough magnitude do? I'm going to be
        generous with the rounding.""",
    ),
    Remark(
        SMALL, "{form} Name the unit that you use.",
        """Which unit do you want? In bits or bytes. Is that in seconds or minutes? In what unit should I give it.
        Gigabytes or gibibytes. Per second or per day. Decimal or binary units. What units would you like? Any unit?
        What unit do you prefer?""",
    ),
    Remark(
        SMALL, "Assume your own numbers, and say them; ask me for any figure that you need.",
        """Do I make up the numbers? Will you give me the numbers? Am I free to pick my own numbers? Should I invent
        the figures? Do you have numbers for me or do I choose? Where do I get the numbers from? Can I make my own
        assumptions? Do I pick the values myself? Should I ask for numbers or assume them? Am I meant to know the
        figures? Do I bring my own assumptions or will you hand me the figures? Should I assume values or ask you?""",
    ),
    Remark(
        LEAVE, "Yes, assume that, and say what depends on it.",
        """Can I assume the network is reliable? May I take it that all machines are the same? I'll assume that nothing
        fails if that is all right. Let's say the load is even, fine with you. I would presume everyone is up to
        date, is that fair. I take it as given that we own the hardware. Suppose everything fits, okay. I am
        assuming one region. My assumption would be a steady load. I guess I can count on the clocks. Are we
        assuming no failures? Shout if that is not so. Stop me if that is wrong, I assume the usual. I am going to
        pretend it is perfect unless you object. Is it fair to say that disks are cheap? Would it be safe to assume
        this? I'd like to treat them all alike. Can I take it for granted? Let me assume the best case. I'm counting
        on a standard setup, yes. Is it fine to start with the simple case? Are standard components fair game? I'd
        like to use a cloud service if that is allowed. Can I take something off the shelf? Do I get to change the
        interface? May I assume the usual unless you tell me otherwise? Let me assume there is one of them for now.
        I'll work on the basis that it is steady. Can I rely on the usual cloud services? For simplicity let us say
        everything is local. Am I good to assume that? Let me pretend that never happens. Would you let me use one
        of those? Can we agree on that? Do I have a free hand? Is money no object? I'm assuming they behave, yell if
        I'm wrong. Can I treat that as given? I'll go with the standard choice, if nobody minds. Let me take one of
        each to begin with. Could I use a library for that? May I bring in something new? Could I assume a team of
        experienced people? Are external services okay to use? I'd go with two of them as a working assumption
        unless that bothers you. I'd like to assume a few things. Let me work with an average.""",
    ),
    Remark(
        LEAVE, "If it decides the answer, a sentence on it; else leave it out, and say that you do.",
        """Can I ignore security for now? May I leave out the failures? I would skip the algebra if you allow. Let me
        set that aside for the moment. I'd neglect the small terms. Can I gloss over this? Do I have to worry about
        that? Should I take failures into account? Is it fine to leave cost out? Am I allowed to ignore failures for
        now? Could I disregard that? Should I count the overhead too? Does that have to be included? I'd rather not
        deal with authentication here, is that a problem? May I skip over monitoring? Could we forget about legal
        things? Shall I bother with that case?""",
    ),
    Remark(
        SMALL, EITHER,
        """Shall I start with the memory or the network? Which one first? Top down or bottom up. Do you prefer the one
        or the other? Would you rather I began with the data? I could start from either side, whichever you prefer.
        Where do you want me to start? Are you more interested in this or in that? Do you care more about the one or
        the other? It could be this or that, which do you have in mind. Is it more of a this or more of a that? What
        do you like better? Is one of them more important to you? Should I go for the one or the other? Should I
        treat the one or the other as what matters? Is it meant to be something we buy or something we build? Is it
        one or several, or does it not matter to you? Is it more the first or more the second that you worry about?
        I could go either way, you tell me. Happy to start anywhere, your call. Which part would you like me to
        start with? Would you say this is more of a this or more of a that? Do I go for the peak or for the average?
        I could begin with the one or with the other, whichever you like. Push or pull, do you have a preference?
        Would you like me to talk about the one first or about the other first? Should I care about this or only
        about that? Is it one or are there several? Which of these is closer to your heart? Breadth first or depth
        first?""",
    ),
    Remark(
        SMALL, "That you learn from the debrief: I give no marks before the end. I asked: {question}",
        """Am I on the right track? Is that right? Does that make sense? Is that what you wanted to hear? Was that the
        answer you were looking for? How am I doing? Did I get the last one right? Are you happy with that? Tell me
        if I am wrong. Stop me if I talk nonsense. I hope this is going in the right direction. Am I warm or cold?
        Warmer or colder. Was that any good? You look unhappy, did I say something wrong. Am I missing something? Is
        that correct so far? Do you agree? Did that answer your question? I can't tell from your face how that went.
        Let me know if I am way off. Is that the sort of thing you were after? Was the previous answer okay? I think
        that went badly. Did I misunderstand something? Am I barking up the wrong tree? Am I heading the right way?
        Am I heading in the direction you had in mind? Did that make any sense to you? Is that roughly what you
        expected? Are you convinced? Any red flags so far? Do you see a mistake? Does this sound reasonable to you?
        Have I lost you? Please interrupt me if I go astray. Is this the kind of thing you want? You don't look
        convinced. How did I do on the first one? Any feedback so far? Is my thinking sound? Was my number right?
        Did I pass that one? Do you buy that? Too simple? That was wrong, wasn't it? You are nodding, so that was
        fine? Is my approach off so far? Please shout if this is not what you want. Am I doing all right? Is my
        answer complete? Would you have said the same? Can you tell me if that was right?""",
    ),
    Remark(
        SMALL,
        "Use whatever you like, paper, a calculator or code; I follow your words, so say in sentences what matters.",
        """Can I draw this? Is there a whiteboard? May I use a calculator? Can I share my screen? Could I write some
        code for it? May I use pen and paper? Can I type it instead? I would sketch a diagram. Do you want me to
        code this? Shall I open an editor? Am I allowed to look it up? Can I search the web? I'll use a spreadsheet.
        Let me draw boxes and arrows. Would pseudo-code be okay? May I write it down? Can I take notes? Python for
        the sums. Is there a shared document? I think better with a pen in my hand. I'd rather write that down than
        say it. I would like to sketch that. Mind if I scribble a little while I talk? I'll grab my calculator. I
        could write the code for it. May I look something up? Mind if I draw this on the board? It would be easier
        with boxes and arrows. I'd normally plot this in a notebook. Is it open book? Can I google that? Am I
        allowed to use an assistant? Shall I put it in a spreadsheet? I would normally open a spreadsheet for this.
        Do you mind if I open a text editor? Can I put this into a table for you? I've got a tablet here, can I
        scribble on it? Let me fire up a terminal. May I consult the manual? Can I show you a picture of it? Let me
        open a blank page. Do you want a diagram? Shall I write that as a formula? Would a quick drawing help you? I
        could code that up in ten lines, want me to? Shall I paste some code?""",
    ),
    Remark(
        SMALL, "Please do: I like to hear how you think.",
        """Can I think out loud? I'll think aloud if you don't mind. May I just talk through my thoughts? I'd like to
        talk you through it as I go. Let me just say what comes to mind.""",
    ),
    Remark(
        WAIT, "Take your time.",
        """Give me a second. Let me think. One moment please. I need a minute for that. Hold on. Just a sec. Bear with
        me. Hmm, let me see. Let me gather my thoughts. I'm going to be quiet for a bit. Let me work that out. Let
        me write that down. Let me do the sums. I'll think for a moment. Thinking. Just calculating. I'm still
        writing. It's on the tip of my tongue. I have to chew on that. Can I take a minute? I'm blanking, one
        moment. Let me get some water. I'm looking for a pen. That takes me a moment. Let me read that again. Let me
        sort this in my head. Okay, give me half a minute. Hang on, I'm scribbling something down. Let me jot down
        the numbers. Thinking, sorry. Two seconds. Where do I begin? Let me take a breath. I'm adding that up. I
        need to think about that one. I'm collecting my thoughts. OK, thinking. Let me note this down before I
        speak. Hang on. Hold on. Wait. I'll just be a minute. Let me picture that for a second. Okay, so. Still
        computing. I want to double check something in my head first. Allow me a moment of silence. Not yet. Nearly
        there. Let me count. Where was I? Let me start over. Let me scroll back. So, let me think. I have to do some
        arithmetic first. Mhm, okay, so. Still thinking. Give me a sec to let that sink in. Let me take that in. Let
        me digest that. Let me check my numbers. I'm on it. I'm just going to grab some water.""",
    ),
    Remark(
        HELP, "No problem. Begin with what you know; or say “give me a hint”, or “skip”.",
        """I don't know. No idea. I have no clue. I haven't the faintest. Give me a hint. I am stuck. Can you help me?
        I've got nothing. I never learned that. I can't answer that. It is beyond me. I don't remember. My mind is
        blank. You have got me there. Could you nudge me in the right direction? Not my field. I have never worked
        with that. I couldn't say. I would only be guessing. I'm drawing a blank. My mind just went empty. I've
        honestly never had to do this. Out of ideas. I'd need some help here. Nothing comes to mind. Can you point
        me somewhere? I have to admit that I am lost. My mind is empty, it must be the nerves. I'm out of my depth
        here. I couldn't tell you. Can you give me something to start from? A starting point would be nice. I always
        wanted to read up on that. That is a gap of mine. I would have to look that up. That's new to me. I'm at a
        loss. This one is too hard for me. Help. No clue. Not a clue. Pass me a hint. I'm stuck, a hint would help.""",
    ),
    Remark(
        SKIP, "If you want to leave it, say “skip”.",
        """Can we skip this? Let's move on. Next question please. I pass. I give up. I'd rather go on to the next one.
        Let's leave it there. Pass. Can we go on with something else? I'll leave that one out. I don't want to
        answer that one. I'm blanking on this, can we move on. Honestly, no idea, can we skip this. I've got nothing
        on this one, let's move on. Let's call it a day on that one. Can you just tell me and go on? I'd rather not
        answer this one. I'll pass on this one. I'll pass on that if that is okay. Pass, I guess. Let us go on. What
        is the next one? I have nothing more to say on that. I surrender. You win, next. This one is not for me, can
        I do another? I've got nothing, next one please. Could we do another one?""",
    ),
    Remark(
        SMALL, "We go on in order: say in a sentence what you have, and leave it.",
        """Can we come back to this later? Let's park this. I'd return to that at the end. Could we do this one last?
        Put a pin in it. I'd like to get back to this one. Can we take this later? Let's skip this and come back to
        it if there's time. I'd rather do that one at the end. Can I get back to you on that?""",
    ),
    Remark(
        SMALL, "Hello, and welcome. When you are ready: {question}",
        """Hello. Hi there. Good morning. Nice to meet you. Pleasure to meet you. Glad to be here. Good to finally
        talk. Hey, good to see you. Good afternoon.""",
    ),
    Remark(
        SMALL, "All well here, thank you. When you are ready: {question}",
        """How are you? How is your day going? Did you have a good weekend? Lovely weather today. It is raining here.
        Long day for you too. Busy day for you. How was your morning? Where are you calling from? How long have you
        worked here? Do you like working there? I like your plant. Nice picture behind you. It's hot in here today.
        Have you had many interviews today? Is it sunny where you are? What is your role at the company? What do you
        do yourself? Do you enjoy your job? The coffee here is excellent. Got any plans for the holidays? Did you
        sleep well? Are you having a good day? Is this your first interview today? Been to the office much lately.
        What a day. It's pouring outside. Is that a cat behind you? How long have you been with the company? Nice
        weather for an interview, at least. My coffee has not kicked in yet. It's been raining cats and dogs all
        day. How are you holding up? You must have heard this a hundred times. Nice office you have there. Do you
        have a canteen? Happy Friday. Are you an engineer yourself? Congratulations on the launch. It's lunch time
        soon. What's the weather like at your end? Happy new year. I had a good breakfast. How was the holiday? Is
        it late where you are? Love the mug. So what brought you to this company? Congrats on your new product.
        Great to be here today. I hope you are having a good day. How was your commute? Where is your office? How
        many people work there? Did you watch the game? Are you busy these days?""",
    ),
    Remark(
        SMALL, "Good. Go on.",
        """Thanks. Thank you for having me. Good question. That's a nice problem. Got it? Makes sense. Okay,
        understood. Interesting. Wow, tough one. I like this question. That is a fun one. Alright. Cool, thanks.
        Phew. That is a hard one. Ah, I see. Fair enough. That is a big question. Challenging. Thanks for the
        explanation. Okay. Great. Good. Perfect. Good to know. Cheers. Noted. Lovely. Ah, nice. That is helpful.
        Much appreciated. Right you are. Oh, interesting twist. Aha. Okay, makes sense, thanks. That's a cool
        scenario. I like where this is going. Okay, good question. Oh dear.""",
    ),
    Remark(
        SMALL, "There is always a story. Back to ours: {question}",
        """Funny, we had the same thing at my old job. My first boss hated questions like that. At university I wrote
        my thesis on something like this. That reminds me of a talk I heard. I once took down production with a
        typo. I read a blog post about this yesterday. There was a whole chapter about it in a book. Back in the day
        we did all this by hand. A colleague of mine used to say that everything breaks. My professor always said
        that computers are fools. At my last place somebody rebooted everything on a Friday. I worked next door to
        people who built one. A friend of mine lost a whole weekend over that. I saw something about that on
        television. In my last job this cost us a lot of pizza. Years ago I sat in a meeting about exactly that.
        That takes me back to my student days. I still have nightmares about that outage. Story of my life. We used
        to joke about that in the office. One of my flatmates swears by it. I remember an outage like that, it
        ruined my Christmas. Reminds me of a bank I worked for. My old team had a running gag about it. True story,
        our cat once unplugged the server. My uncle had a shop with exactly this problem. We once lost a whole data
        centre because of a plug. There is a famous talk by some guy from a big company about that. I used to be a
        nurse before I went into computing. My last interview was just like that. I know somebody who built that for
        a bank. They say that never works in practice. I did something like it for my grandmother. In the army we
        had a saying about that. It was in the news last week. Somebody on the internet claims the opposite. Ha, the
        memories. Back at university we had a whole course on this. My grandfather always said so. I heard a podcast
        about exactly this. That is what everybody says on the first day.""",
    ),
    Remark(
        SMALL, "No problem at all, take your time. I asked: {question}",
        """Sorry, I am a bit nervous. Forgive me, it has been a while. Excuse my English. Sorry, I keep rambling. My
        apologies for the wait. I'm a little out of practice. I'm not at my best today. Interviews make me nervous.
        Sorry, I am talking too much. Pardon my handwriting. I slept badly, sorry. Sorry for being slow. I feel
        silly now. My head is spinning. Sorry, I got confused. I'm a bit rusty. I haven't done this for a while.
        Bear with my accent. I keep losing my train of thought. Ugh, that came out wrong. Sorry, that was clumsy.
        Sorry for the confusion. I'm sweating a bit here. I do talk a lot, sorry. I'm shaking a bit. I usually do
        better than this. English is my third language. I feel a bit stupid right now. I'm sorry. My voice is a bit
        rough today. I am making a mess of this. I'm still waking up. I tend to talk too fast.""",
    ),
    Remark(
        SMALL, RECAP,
        """Can you recap what we know? Remind me of the numbers. What do we know so far? Could we go over the facts
        again? What have you told me so far? Sum up the setup for me. I forgot the numbers. I lost my notes. What
        are the facts again? Can you list what we have? What have I committed to? What numbers did I give you? What
        did I say for the last one? Which assumptions are on the table? What did I choose? Which value did I take?
        What was the load again? Give me the figures once more. What did we agree on? Summarise the case for me.
        What was it that you told me about the load? How big was it again, did you say? Let me check what numbers I
        gave you. What have I said so far? How many did you say there were? What have I committed to so far? What
        was the latency again? Could you list the requirements once more? What did I pick for that earlier? Which
        figures do I have by now? What was my choice before? Read me the facts.""",
    ),
    Remark(
        SMALL, "All that I told you holds, unless I say that it has changed. {setup}I asked: {question}",
        """Is it still the same setup? Do the numbers from before still hold? Has anything changed? Is this a new
        scenario? Same system as in the last question. Is that a follow-up to the previous one? Do I keep my design
        from before? Do we carry on with the same case? Before I answer, is it the same setup as in the last
        question, or has something changed?""",
    ),
    Remark(
        SMALL, "One choice: say why, and what it costs; a word on the others will do.",
        """Do I list the alternatives or commit to one? Do you want options or a recommendation? Should I compare them?
        One solution or several. Do you want me to name all the choices? Pros and cons or a decision.""",
    ),
    Remark(
        SMALL, "What you would really do, and why: the reasons count as much as the result.",
        """Do you want the theory or what I would do at work? The textbook answer or real life. Should it be production
        ready? Is a prototype enough? The principle or the practice.""",
    ),
    Remark(
        SMALL, "It is yours to decide: I only ask.",
        """What would you do? What do you think? What is your opinion? Which would you choose? How would you shard it?
        What is the right answer? Tell me the solution. Would you have done it that way?""",
    ),
    Remark(
        SMALL, "While we are at a question, yes: say it anew, and the last word counts.",
        """Can I change my answer? I want to correct what I said. Can I take that back? May I add something to my
        previous answer? I'd like to revise my number.""",
    ),
    Remark(
        SMALL, "Let us leave that for after the case. I asked: {question}",
        """Do I get to ask you questions? Can I ask you something at the end? Is there a break? Can we take a short
        break? I need the bathroom. When will I hear back? What happens after the interview? Will there be another
        round? How is this scored? Who decides in the end? Do you want to know something about me? Can I ask about
        the team later? When do I get the result? Do you offer remote work? Can I have a copy of this afterwards? I
        need five minutes off. What are the next steps? May I go to the toilet? Can I keep my notes?""",
    ),
)  # fmt: skip


# Words with the same meaning in a remark, a row each; the first stands for the row.
_SAME: Final = """
can could may might shall
would will
moment second sec seconds minute minutes min mins moments tick bit while
question task problem
connection wifi internet line network video call
draw sketch scribble diagram drawing plot
board whiteboard
paper pen pencil notes notebook notepad
mic microphone headset headphones audio sound camera webcam
repeat rephrase
boss manager professor colleague teacher friend supervisor lead cto flatmate
job place company gig team employer
sorry apologies apologise apologize forgive
yes yeah yep sure okay ok fine alright right
hello hi hey
congratulations congrats
thanks thank cheers
understand follow get parse grasp
hear catch caught heard
number figure numbers figures value values
precise exact accurate
rough ballpark approximate roughly approximately
wrong off
detail detailed depth deep deeper
short brief quick concise
long lengthy
term word acronym abbreviation expression jargon
mean meant means
define definition defined
stuck lost
idea clue
skip pass
later afterwards end
good great nice lovely excellent cool
weather rain sun sunny
day morning afternoon evening week weekend
nervous anxious
left remaining
part section stage round phase
finished done over through finish
hint nudge tip pointer
assume suppose presume take pretend assuming
ignore neglect disregard leave
prefer rather like
talk speak say
slower slowly slow
write type jot
code program pseudo-code pseudocode python
froze frozen lagged dropped
want need
give tell
"""
_FIRST: Final = {word: row.split()[0] for row in _SAME.splitlines() for word in row.split()}
_CONTRACTIONS: Final = (
    (r"\bgimme\b", "give me"), (r"\bcan(?:not|'t)\b", "can not"), (r"n't\b", " not"), (r"'m\b", " am"),
    (r"'re\b", " are"), (r"'ve\b", " have"), (r"'ll\b", " will"), (r"'d\b", " would"),
    (r"\b(what|that|it|there|how|where|who|here|let|someone)'s\b", r"\1 is"),
)  # fmt: skip
_WORD: Final = re.compile(r"[^\W_]+(?:-[^\W\d_]+)*")
_PAIR: Final = 0.6  # weight of two neighbouring words beside that of one
_UNKNOWN: Final = 0.6  # weight of a word that no example has
_NEAREST: Final = 5  # examples that vote
_POWER: Final = 2  # makes a near example count more than several far ones
ALIKE: Final = 0.9
EXACTLY: Final = 0.72
SHORTEST: Final = 2  # words
SURELY: Final = 0.62  # likeness of a text that is such a remark, whatever else it may be
NEARLY: Final = 0.52
PROBABLY: Final = 0.45
SLIGHTLY: Final = 0.4
PERHAPS: Final = 0.3


@lru_cache(maxsize=4096)
def remark_like(text: str) -> tuple[Remark, float]:
    """The kind of remark that a text resembles most, by a vote of the nearest examples, and the likeness to the nearest
    example of that kind, from 0 to 1; `NOTHING` if no example shares a word. A very short text must have all words of
    an example: "They wait" is none.

    >>> remark, likeness = remark_like("Could you say that question once more?")
    >>> remark.kind, likeness > SURELY
    ('repeat', True)"""
    weights, examples = _examples()
    words = _words_and_pairs(text)
    length = math.hypot(*(weights.get(one, _UNKNOWN * _weight(one, 1)) for one in words))
    near = heapq.nlargest(
        _NEAREST,
        (
            (sum(weights[one] ** 2 for one in shared) / (length * size), place)
            for place, own, size in examples
            if (shared := words & own)
        ),
    )
    votes: dict[int, float] = defaultdict(float)
    for likeness, place in near:
        votes[place] += likeness**_POWER
    if not votes:
        return NOTHING, 0.0
    winner = max(votes, key=votes.__getitem__)
    likeness = max(likeness for likeness, place in near if place == winner)
    short = len(text.split()) <= SHORTEST and likeness < ALIKE
    return REMARKS[winner], likeness * (0.5 if short else 1)


def _weight(one: str, count: int) -> float:
    """The weight of a word or a pair of words that so many of the examples have: rare ones weigh more."""
    return math.log(1 + _COUNT / count) * (_PAIR if " " in one else 1.0)


_COUNT: Final = sum(len(re.findall(r"[.?](?:\s|$)", remark.examples)) for remark in REMARKS)


@cache
def _examples() -> tuple[dict[str, float], list[tuple[int, frozenset[str], float]]]:
    """The weights of all words and pairs; and each example as its row of `REMARKS`, its words, and its length."""
    rows = [
        (place, _words_and_pairs(example))
        for place, remark in enumerate(REMARKS)
        for example in re.split(r"(?<=[.?])\s+", remark.examples)
    ]
    counts = Counter(one for _, words in rows for one in words)
    weights = {one: _weight(one, count) for one, count in counts.items()}
    return weights, [(place, words, math.hypot(*(weights[one] for one in words))) for place, words in rows]


def _words_and_pairs(text: str) -> frozenset[str]:
    """The stems of the words of a text, and its pairs of neighbours; words with the same meaning are one."""
    from quizgen.rubric.spelling import word_stem

    plain = text.casefold().replace("’", "'")
    for shape, full in _CONTRACTIONS:
        plain = re.sub(shape, full, plain)
    words = ["#" if word.isdigit() else _FIRST.get(word) or word_stem(word) for word in _WORD.findall(plain)]
    return frozenset((*words, *(f"{a} {b}" for a, b in zip(["^", *words], [*words, "$"], strict=True))))
