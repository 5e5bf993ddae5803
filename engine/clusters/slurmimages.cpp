// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmimages.h"

#include <algorithm>

namespace trainyard::slurm
{

using namespace Qt::StringLiterals;

namespace
{

// Pyxis writes each mount into a line of bash, within double quotes, from which a table of file systems comes.
bool isPlainForPyxis(const QString &path)
{
    static const QString odd = u",:\"$`\\"_s;
    return std::none_of(path.cbegin(), path.cend(), [](QChar c) { return c.isSpace() || odd.contains(c); });
}

// For enroot a login stands before an @, and a digest behind a colon, like a tag.
QString withDigestAsTag(const QString &name)
{
    const qsizetype at = name.indexOf("@sha256:"_L1);
    if (at < 0) {
        return name;
    }
    const QString before = name.first(at);
    const qsizetype colon = before.indexOf(u':', before.lastIndexOf(u'/') + 1); // and not that of a port
    return before.first(colon < 0 ? before.size() : colon) + u':' + name.sliced(at + 1);
}

} // namespace

QString pyxisImage(const QString &image)
{
    QString name = image.startsWith("docker://"_L1) ? image.sliced(9) : image;
    if (name.startsWith(u'/') || name.startsWith("./"_L1) || name.contains(u'#') || name.contains("://"_L1)) {
        return name; // a file, or written for pyxis already
    }
    name = withDigestAsTag(name);
    constexpr QLatin1StringView usual{"docker.io/"}; // where it looks when there is no registry
    if (name.startsWith(usual)) {
        name = name.sliced(usual.size());
        return name.startsWith("library/"_L1) ? name.sliced(8) : name;
    }
    const qsizetype slash = name.indexOf(u'/');
    const QString first = name.left(std::max<qsizetype>(0, slash));
    const bool hasRegistry = first.contains(u'.') || first.contains(u':') || first == "localhost"_L1;
    return hasRegistry ? first + u'#' + name.sliced(slash + 1) : name;
}

Result<std::vector<std::string>> pyxisOptions(const PyxisInput &input)
{
    QList<launch::ContainerMount> mounts{{input.runsFolder, input.runsFolder, false}};
    const auto add = [&mounts](const launch::ContainerMount &mount) {
        const bool isKnown = std::any_of(mounts.cbegin(), mounts.cend(), [&mount](const launch::ContainerMount &each) {
            const bool isBelow = mount.source == each.source || mount.source.startsWith(each.source + u'/');
            return each.target == mount.target
                || (isBelow && mount.source == mount.target && each.source == each.target && !each.readOnly
                    && !mount.readOnly);
        });
        if (!isKnown) {
            mounts.append(mount);
        }
    };
    add({input.workDir, input.workDir, false});
    for (const launch::ContainerMount &mount : input.mounts) {
        add(mount);
    }
    // A folder comes before those below it, which it would hide otherwise.
    std::stable_sort(
        mounts.begin(), mounts.end(), [](const launch::ContainerMount &a, const launch::ContainerMount &b) {
            return a.target.count(u'/') < b.target.count(u'/');
        });
    QStringList words;
    for (const launch::ContainerMount &mount : mounts) {
        for (const QString &path : {mount.source, mount.target}) {
            if (!isPlainForPyxis(path)) {
                return fail(u"slurm.image-path"_s, {{u"path"_s, path}});
            }
        }
        words.append(mount.source + u':' + mount.target + (mount.readOnly ? u":ro"_s : QString()));
    }
    const QStringList options{u"--container-image="_s + pyxisImage(input.image),
        u"--container-mounts="_s + words.join(u','), u"--container-workdir="_s + input.workDir};
    std::vector<std::string> made;
    for (const QString &option : options) {
        made.push_back(option.toStdString());
    }
    return made;
}

} // namespace trainyard::slurm
