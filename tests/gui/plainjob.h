// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/gui/designertools.h"

#include <QListView>

#include <memory>

namespace designertools
{

// One role, and nothing to say about it.
inline const char plainText[] = R"(protocolVersion: 2
name: one_script
type: job
prerequisites:
  - {name: img, type: dockerimage, uri: ubuntu}
taskRoles:
  train:
    instances: 1
    completion: {minFailedInstances: 1, minSucceededInstances: 1}
    dockerImage: img
    resourcePerInstance: {cpu: 4, memoryMB: 8192, gpu: 0}
    commands:
      - echo one
      - echo two
      - echo three
      - echo four
)";

// A page of a given width, and its list of problems.
class PlainJobPage
{
protected:
    void show(const QByteArray &bytes, int width = 1192)
    {
        showDocument(page.get(), bytes, QStringLiteral("a.yaml"));
        page->resize(width, 820);
        settle(page.get());
    }
    QListView *list() const { return find<QListView>(page.get(), "problemsList"); }
    // The whole of a row of the list is in sight.
    bool isWhole(int row) const
    {
        return list()->viewport()->rect().contains(list()->visualRect(list()->model()->index(row, 0)));
    }
    std::unique_ptr<DesignerPage> page;
};

} // namespace designertools
