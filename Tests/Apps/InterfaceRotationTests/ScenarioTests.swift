// SPDX-License-Identifier: Apache-2.0

import Testing

/// Apps in which a request, a lock, an override or a presentation meets the device, as rows.
@MainActor @Suite(.onBothShapes) struct ScenarioTests {
    @Test(arguments: Scenario.parse(following + requests + locks + overrides + lastEdges))
    func `each step has its effect`(scenario: Scenario) throws {
        for ruleSet in scenario.ruleSets {
            let run = try ScenarioRun(scenario, ruleSet)
            for step in scenario.steps { try run.perform(step) }
            run.end()
        }
    }

    nonisolated private static let following = """
        R18: an edge that the interface already has causes no query
            turn faceUp portrait faceDown unknown portrait; asks; turn landscapeLeft; asks Root.supported
        R18: a reading that nothing prevents is followed, also of the edge that was up before a face
            rules modern autorotating; answers Root portrait; turn landscapeLeft; present Film; shows portrait
            waits the next reading of an edge; turn faceUp; shows portrait; waits the next reading of an edge
            turn landscapeLeft; shows landscapeRight; waits; dismiss; shows portrait; waits
        R18: also after a mask has become wider, or a presentation by preference
            answers Root portrait; turn landscapeLeft; answers Root all; turn unknown; shows portrait
            turn landscapeLeft; shows landscapeRight; present Film preferring portrait; shows portrait
            waits the next reading of an edge; turn faceDown landscapeLeft; shows landscapeRight
        R18: also when shouldAutorotate is true again
            rules autorotating; answers Root fixed; turn landscapeLeft; shows portrait; waits; answers Root free
            turn faceUp landscapeLeft; shows landscapeRight
        R18: during a turn it is followed afterwards
            app animated; answers Root portrait; turn landscapeLeft; present Film portraitUpsideDown; turning
            answers Film all; reads faceUp; reads landscapeLeft; frames; shows landscapeRight
        R23: laying the device down and lifting it ends no request, also one that waits
            app animated; request landscapeLeft; frames; turn faceUp portrait; shows landscapeLeft; waits
            turn portraitUpsideDown; shows portraitUpsideDown; update Root landscape; turning; request landscapeLeft
            reads faceUp; reads portraitUpsideDown; frames; shows landscapeLeft
        R21: after an arrival the reason says why the edge does not count
            answers Root portrait; turn landscapeLeft; present Film; shows portrait
            because what arrives keeps an allowed orientation until the next reading of an edge.
            dismiss; answers Root all; request portrait; present Film; shows portrait; waits
            because the program requested it and the device has not been turned since.
        R19: an undetermined edge keeps the orientation
            turn landscapeLeft faceUp; shows landscapeRight; turn unknown; shows landscapeRight; device unknown
        R22: an update follows the edge, new or not
            answers Root portrait; turn landscapeLeft; answers Root all; shows portrait; update Root
            shows landscapeRight; update Root none; errors InvalidInterfaceOrientationError; shows landscapeRight
        R22: a preference that is new with a new mask decides where neither edge nor current one is allowed
            present Film portrait; update Film landscape preferring landscapeLeft; shows landscapeLeft
        R22: a new preference has no effect on a root, under the app's own lock, or outside what is allowed
            update Root preferring landscapeLeft; shows portrait
            present Film locked; update Film preferring landscapeRight; shows portrait; held
            frees Film; delegate portrait; update Film preferring landscapeLeft; shows portrait
            because Film prefers landscapeLeft, which the application's delegate does not allow.
            update Film portrait; update Film preferring landscapeRight; errors PreferredOrientationNotSupportedError
        R22: a new preference for the current orientation keeps it, as in a presentation
            present Film preferring portrait; turn landscapeLeft; update Film landscape; turn portrait
            shows landscapeRight; update Film all preferring landscapeRight; shows landscapeRight; update Film
            shows portrait
        R22: a new preference that is not supported is reported once, and the new mask is followed
            present Film landscape; update Film portrait preferring landscapeLeft; shows portrait
            errors PreferredOrientationNotSupportedError; update Film; shows portrait
        R24: a preference applies only to its own presentation
            answers Root portrait; delegate portrait
            refuses InvalidInterfaceOrientationError present Film landscape preferring landscapeLeft
            delegate landscape; root Film; shows landscapeRight
        R25: in .autorotating a presented controller that does not autorotate keeps its orientation
            rules autorotating; answers Root portrait; present Film landscape preferring landscapeLeft fixed
            turn landscapeLeft; shows landscapeLeft; update Film landscapeRight; shows landscapeRight
            dismiss; shows portrait
        R25: in .modern it follows the device
            answers Root portrait; present Film landscape preferring landscapeLeft fixed; turn landscapeLeft
            shows landscapeRight; update Film landscapeRight; shows landscapeRight; dismiss; shows portrait
        R33: a pending edge is followed although the device is flat meanwhile
            app animated; reads landscapeLeft; turning; reads portrait; reads faceUp; frames; edge portrait
            shows portrait
        R33: a pending update is evaluated although the device is flat meanwhile
            app animated; reads landscapeLeft; reads portraitUpsideDown; update Root portrait; reads faceUp; frames
            shows portrait
        R33: a presentation during a turn is decided afterwards
            app animated; reads landscapeLeft; frame; present Film portrait; shows landscapeRight; frames
            shows portrait
        R24: a presentation during a turn is refused immediately
            app animated; reads landscapeLeft; turning
            refuses PreferredOrientationNotSupportedError present Film portrait preferring landscapeLeft
            refuses InvalidInterfaceOrientationError present None none; frames; shows landscapeRight
        R42: a suspended app is not queried, and its presentations are decided on return
            app animated; suspend; holds Root; free; present Film preferring landscapeLeft; asks
            resume; shows landscapeLeft; still
        R21: a controller that a refused decision leaves in an orientation was last shown in it
            rules autorotating; app animated; answers Root all fixed; present Film landscape; frame; answers Root none
            dismiss; frames; errors InvalidInterfaceOrientationError; shows landscapeRight
            answers Root all; present Next portrait; frames; dismiss; frames; shows landscapeRight
        P9: lock, turn, unlock
            app animated; lock; turn landscapeLeft faceUp; shows portrait; unlock; turning; frames; shows landscapeRight
            device faceUp
        P11: a landscape viewer over a root that allows all, dismissed
            present Viewer landscape; shows landscapeRight; dismiss; shows portrait
            present Viewer; turn faceUp; dismiss; shows portrait; turn portrait
            present Viewer; lock; turn landscapeLeft; dismiss; shows portrait
        P11: a landscape viewer turns and returns on a flat device without a known edge
            app launched; reads faceUp; present Viewer landscape; shows landscapeRight; dismiss; shows portrait
            because this content was last shown in that orientation

        """

    nonisolated private static let requests = """
        R23: a request holds until the next new edge
            request landscapeLeft; shows landscapeLeft; update Root; turn faceUp portrait; shows landscapeLeft
            turn landscapeLeft; shows landscapeRight; turn portrait; update Root; shows portrait
        R23: a request made inside a presented controller ends with its dismissal
            present Player; request landscape; shows landscapeRight; present Settings; dismiss; update Player
            shows landscapeRight; dismiss; shows portrait; because a view controller was dismissed
            update Root; shows portrait
            present Over as overFullScreen; request landscape; dismiss; shows portrait
            present Context as currentContext; request landscape; dismiss; shows portrait
        R23: a request that ended does not hold again when its controller is presented again
            present Player; request landscape; dismiss; present Player; update Player; shows portrait
        R23: the request of a presented controller does not end the one below it
            request landscapeLeft; present Player; request landscapeRight; shows landscapeRight
            dismiss; update Root; shows landscapeLeft; turn portraitUpsideDown; shows portraitUpsideDown
        R23: a request made in the root or under a sheet holds after what is presented is dismissed
            present Sheet as popover; request landscape; dismiss; present Film portrait; shows portrait
            dismiss; shows landscapeRight
        R23: a request ends with a presented controller that a new root removes
            present Player; request landscape; root Next; shows portrait
        R33: a request that waits ends with the dismissal of its controller, without an error
            app animated; present Player landscape; turning; request landscapeLeft; dismiss; frames; shows portrait
            update Root; shows portrait
        R23: a refused presentation does not end a request
            present Player; request landscape; refuses InvalidInterfaceOrientationError present None none
            refuses InvalidInterfaceOrientationError root None; update Player; shows landscapeRight
        R23: an update that turns is followed by a request, whose refusal goes to the handler
            app animated; answers Root portrait; update Root landscape; turning; request portrait; frames
            errors GeometryRequestError; shows landscapeRight
            answers Root portrait; refuses GeometryRequestError request landscape; request portrait; frames
            shows portrait
        R33: a refused request that waited does not keep the interface from a new edge
            app animated; answers Root allButUpsideDown; reads landscapeLeft; reads landscapeRight
            request portraitUpsideDown; frames; errors GeometryRequestError; shows landscapeLeft
            because the device was turned
        R20: turning the lock off ends a request and follows the device
            request landscapeLeft; lock; turn portraitUpsideDown portrait; present Film portrait; dismiss
            shows landscapeLeft; unlock; shows portrait; update Root; shows portrait
            request landscapeLeft; answers Root landscape; lock; unlock; shows landscapeLeft; update Root all
            shows portrait
        R23: a new edge while a window is hidden ends its request
            app launched; notify; turn portrait; request landscapeLeft; hide; turn portraitUpsideDown; show
            shows portraitUpsideDown
        R23: a new edge while the app is suspended ends its request
            app launched; notify; turn portrait; request landscapeLeft; suspend; turn portraitUpsideDown; resume
            shows portraitUpsideDown
        R23: a request holds against the last edge with which it was granted, and the reading of it
            app launched; turn landscapeLeft; state unknown last portrait; request landscapeLeft; state portrait
            update Root; shows landscapeLeft; state unknown last landscapeLeft; update Root; state portrait
            shows landscapeLeft; turn landscapeLeft; shows landscapeRight

        """

    nonisolated private static let locks = """
        R20: under the user's lock the app reads the locked orientation and nothing is posted
            lock; turn landscapeLeft faceUp portraitUpsideDown; device portrait; edge portrait; posts; shows portrait
            unlock; posts portrait → portraitUpsideDown; shows portraitUpsideDown
        R20: the lock keeps the orientation that is set with it
            lock landscapeRight; device landscapeRight; shows portrait; present Film landscape; shows landscapeLeft
            dismiss; shows landscapeLeft; request portrait; shows portrait
        R20: the daemon's states turn the lock on and off
            state portrait locked portrait; state landscapeLeft locked portrait; shows portrait; device portrait
            state landscapeLeft; shows landscapeRight
        R20: the app's own lock stops turns, and the device is followed when it is turned off
            answers Root locked; free; holds Root; held; turn landscapeLeft; update Root; shows portrait
            locks the app's own lock; frees Root; shows landscapeRight
        R20: the app's own lock holds only while its controller is uncovered and its window is key
            holds Root; held; present Sheet as pageSheet; free; turn landscapeLeft; shows landscapeRight; dismiss; held
            present Film; free; dismiss; held; window Other; free; hide Other; held
        R20: the device is followed when the app's own lock is turned off under a sheet
            holds Root; turn landscapeLeft; shows portrait; present Sheet as formSheet; frees Root; shows landscapeRight
        R27: the older rule sets lack the app's own lock and requests only
            rules autorotating legacy; holds Root; free; turn landscapeLeft; shows landscapeRight
            refuses UnavailableError request portrait; lock; turn portrait; shows landscapeRight
        R20: a lock turned on before the first reading is followed keeps its edge
            app launched; state unknown last landscapeLeft; state landscapeLeft locked landscapeLeft
            shows landscapeRight
        R36: a view that follows the device turns to the locked edge
            app badge; lock landscapeLeft; badge landscapeRight; shows portrait
        R43: a lock that moves to another edge is explained with that edge
            lock; present Film; because a view controller was presented; lock landscapeLeft; source the user's lock
            because the rotation lock was turned on; locks the user's lock; shows portrait
        R43: a lock that is turned off during a turn is not listed
            app animated; lock; present Film landscape; turning; locks the user's lock; unlock; locks
            frames; because the rotation lock was turned off
        R43: a lock that was turned off while the app was suspended is not listed
            notify; lock; request landscapeLeft; suspend; unlock; turn portraitUpsideDown; locks; source a reading
            because the device is not followed until the window is visible and at rest.
            resume; because the window came to the front; shows portraitUpsideDown
        R43: a lock that was turned off while the window was hidden is not listed
            notify; lock; request landscapeLeft; hide; unlock; turn portraitUpsideDown; locks; source a reading
            because the device is not followed until the window is visible and at rest.
            show; because the window came to the front; shows portraitUpsideDown

        """

    nonisolated private static let overrides = """
        R26: an override is posted, holds until the device turns, and works under the user's lock
            override landscapeLeft; override landscapeLeft; turn faceUp portrait unknown
            posts portrait → landscapeLeft; shows landscapeRight; source an override; turn portraitUpsideDown
            posts landscapeLeft → portraitUpsideDown; shows portraitUpsideDown
            lock; override landscapeRight; shows landscapeLeft; posts portraitUpsideDown → landscapeRight
            locks the user's lock; source an override; because a program overrides the device orientation
        R26: an override under the user's lock ends with a call, and the interface returns to the locked edge
            rules modern autorotating legacy
            lock; override landscapeLeft; shows landscapeRight; override landscapeLeft; turn landscapeRight
            posts portrait → landscapeLeft; device landscapeLeft; edge landscapeLeft; shows landscapeRight
            clear; posts landscapeLeft → portrait; shows portrait; clear; posts
            turn portraitUpsideDown; shows portrait; override landscapeLeft; override unknown; device portrait
            posts portrait → landscapeLeft; shows landscapeRight; unlock; shows portraitUpsideDown
        R26: an override under the user's lock ends when the lock is turned off and the device was turned
            lock; override landscapeLeft; turn portraitUpsideDown; device landscapeLeft; unlock
            device portraitUpsideDown; shows portraitUpsideDown
            lock; override landscapeLeft; unlock; device landscapeLeft; shows landscapeRight
        R26: a lock that is moved hides an override, and the same override passes it again
            override landscapeLeft; lock portrait; device portrait; shows landscapeRight
            request portrait; override landscapeLeft; shows landscapeRight; device landscapeLeft
            state portraitUpsideDown locked portrait; device landscapeLeft
            state portraitUpsideDown locked landscapeRight; device landscapeRight; shows landscapeRight
        R26: an override under the user's lock obeys the app's own lock and the masks
            lock; holds Root; override landscapeLeft; shows portrait; clear; frees Root; answers Root portrait
            override landscapeLeft; shows portrait; because Root does not allow landscapeRight
        R26: the same override again has an effect only after a reset, which posts nothing
            override landscapeLeft; request portrait; override landscapeLeft; shows portrait
            posts portrait → landscapeLeft; override unknown; posts; override landscapeLeft; shows landscapeRight
            posts portrait → landscapeLeft
        R26: an override keeps its edge while the device is flat, and ends when it turns
            override landscapeLeft; override faceUp; state faceDown last portrait; device faceUp; edge landscapeLeft
            state unknown last portraitUpsideDown; device faceUp; edge landscapeLeft
            state portraitUpsideDown; device portraitUpsideDown; edge portraitUpsideDown
        R26: the next turn of the device ends an override that was set after a reset
            rules modern autorotating legacy
            override unknown; override landscapeRight; override unknown; override landscapeLeft; shows landscapeRight
            turn landscapeRight; device landscapeRight; shows landscapeLeft; source a reading; turn portrait
            shows portrait; override landscapeLeft; shows landscapeRight
        R26: the first reading does not end an override that was set before it
            app launched; override landscapeLeft; turn portrait; shows landscapeRight
            turn portraitUpsideDown; shows portraitUpsideDown
        R26: a turn to the edge of the override ends it and posts nothing
            override landscapeLeft; posts portrait → landscapeLeft; turn landscapeLeft; posts; shows landscapeRight
            turn portrait; posts landscapeLeft → portrait; shows portrait
        R26: a turn under the user's lock ends an override, with effect when the lock is turned off
            override landscapeLeft; lock; turn portraitUpsideDown; device landscapeLeft; shows landscapeRight
            unlock; device portraitUpsideDown; shows portraitUpsideDown
        R26: clearing an override while the device is flat restores the last edge
            override landscapeLeft; turn faceUp; shows landscapeRight; clear; shows portrait
        R1b: after a reset of an override, the edge is that of the current reading
            app badge; override landscapeLeft; shows landscapeRight; badge landscapeRight
            override unknown; device portrait; edge portrait; badge portrait; shows landscapeRight
            turn portrait; shows portrait
        R1b: the edge is the last one that was up, including that of an override or lock
            app launched; edge none; turn landscapeLeft faceUp; edge landscapeLeft; override portraitUpsideDown
            edge portraitUpsideDown; lock landscapeRight; edge landscapeRight; unlock; edge portraitUpsideDown
            state faceUp last portrait; edge portraitUpsideDown; clear; edge portrait

        """

    nonisolated private static let lastEdges = """
        R18: the first reading is followed although its edge equals the last edge
            rules modern autorotating legacy
            app launched; state unknown last landscapeLeft; shows portrait; edge landscapeLeft; posts
            state landscapeLeft; shows landscapeRight; posts unknown → landscapeLeft; source a reading
        R18: a last edge without a reading turns nothing
            app launched animated; state unknown last landscapeLeft; state portrait; shows portrait; turns 0
        R1b: a last edge without a reading is the edge of a decision
            app launched; state unknown last landscapeRight; present Film landscape; shows landscapeLeft
            dismiss; state landscapeRight; shows landscapeLeft
        R1b: on a flat device the last edge is followed, and the reading confirms it
            app launched; state faceUp last landscapeLeft; shows landscapeRight; asks Root.supported
            state landscapeLeft; shows landscapeRight; asks
        R1b: also with the screen down
            app launched; state faceDown last landscapeLeft; shows landscapeRight; asks Root.supported
            state landscapeLeft; shows landscapeRight; asks
        R18: the reading of the edge before is followed after a last edge that is not allowed
            app launched; turn landscapeLeft; present Film portraitUpsideDown; state unknown last portrait
            update Film portraitUpsideDown+landscapeRight; shows portraitUpsideDown; state landscapeLeft
            shows landscapeRight
        R33: an edge that is pending at the end of a turn is followed by its reading later
            app launched animated; answers Root allButUpsideDown; turn portrait; reads landscapeLeft; turning
            reads portrait; state unknown last portraitUpsideDown; frames; shows landscapeRight
            turn portrait; shows portrait
        """
}
