// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/newrole.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

QList<edit::Op> newRoleOps(const YamlPath &place, const QString &image, bool besideOthers)
{
    QList<edit::Op> ops;
    ops.append(edit::SetValue{place.child(u"instances"_s), "1"});
    if (besideOthers) {
        ops.append(waitForAllOp(place));
    }
    if (!image.isEmpty()) {
        ops.append(edit::SetText{place.child(u"dockerImage"_s), image});
    }
    const YamlPath resources = place.child(u"resourcePerInstance"_s);
    ops.append(edit::SetValue{resources.child(u"gpu"_s), "0"});
    ops.append(edit::SetValue{resources.child(u"cpu"_s), "1"});
    ops.append(edit::SetValue{resources.child(u"memoryMB"_s), "1024"});
    ops.append(edit::SetText{place.child(u"commands"_s).child(qsizetype(0)), u"echo hello"_s});
    return ops;
}

QList<edit::Op> newJobOps()
{
    QList<edit::Op> ops{edit::SetValue{YamlPath{u"protocolVersion"_s}, "2"},
        edit::SetText{YamlPath{u"name"_s}, u"job"_s}, edit::SetText{YamlPath{u"type"_s}, u"job"_s}};
    return ops + newRoleOps(YamlPath{u"taskRoles"_s, u"worker"_s}, {});
}

edit::Op waitForAllOp(const YamlPath &place)
{
    return edit::SetValue{place.child(u"completion"_s).child(u"minSucceededInstances"_s), "-1"};
}

} // namespace trainyard
