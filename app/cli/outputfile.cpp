// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/outputfile.h"

#include "app/cli/console.h"
#include "engine/client/wholefile.h"
#include "widgets/text/texts.h"

#include <QFileInfo>

namespace trainyard::cli
{

bool isOutputFile(const QString &path) { return !path.isEmpty() && path != QLatin1String("-"); }

bool refuseExisting(const QString &path, bool force, const QString &option)
{
    if (force || !isOutputFile(path) || !QFileInfo::exists(path)) {
        return false;
    }
    errorLine(tr("%1 already exists. Use %2 to replace it, or choose another name.").arg(path, option));
    return true;
}

bool writeOutput(const QString &path, const QByteArray &bytes)
{
    const Result<void> written = writeFile(path, bytes);
    if (!written) {
        errorLine(errorText(written.error()));
    }
    return written.has_value();
}

} // namespace trainyard::cli
