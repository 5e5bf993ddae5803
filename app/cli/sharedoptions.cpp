// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sharedoptions.h"

#include "app/cli/arguments.h"
#include "app/cli/console.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

QString SharedOption::shown() const { return optionOf(spelled, text).shown(); }

SharedOption catalogOption()
{
    return {u"--catalog FOLDER"_s,
        tr("where marketplace://data/x is found (FOLDER/data/x.yaml); by default the setting catalogue.folder")};
}

SharedOption secretOption()
{
    return {u"--secret NAME"_s,
        tr("ask for a secret of the job; NAME=@FILE reads it from a file, NAME=env:VARIABLE from the environment. A "
           "value itself is not accepted: other users can read command lines")};
}

SharedOption strictOption()
{
    return {u"--strict"_s,
        tr("behave exactly as an OpenPAI cluster: the job is refused if a server would refuse it, and runs as the "
           "cluster's runtime runs it (extras.trainyard.strict). FILE is not changed; the job's record has the mark, "
           "so that 'retry' is strict, too")};
}

QString whichJob() { return tr("Which job? Give its number, the beginning of its UUID, or its name."); }

QString failedJobNote()
{
    return tr("A FAILED job that was waited for gives the status of its command, or its own code, if that is 1 to 125, "
              "otherwise 1.");
}

} // namespace trainyard::cli
