// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/hosts/clustersetup.h"

class QComboBox;

namespace trainyard
{

// The settings of a Kubernetes cluster, as typed.
struct KubernetesEntry {
    QString name; // "lab"
    QString options; // of kubectl, in one line; empty: its own defaults
    QString queue; // of Kueue; empty: none
    friend bool operator==(const KubernetesEntry &, const KubernetesEntry &) = default;
};

// Asks for a new Kubernetes cluster, or for other settings of one. saveRequested() comes with what can be used. Which
// contexts kubectl has comes later, or not at all: they can be typed.
class KubernetesDialog : public ClusterSetup
{
    Q_OBJECT
public:
    KubernetesDialog(const QStringList &takenNames, QWidget *parent); // a new one
    KubernetesDialog(const KubernetesEntry &present, QWidget *parent); // its name stays
    void setContexts(const QStringList &names); // to choose from; what is typed stays
    void setContextsError(const QString &sentence); // why there are none

Q_SIGNALS:
    void saveRequested(const trainyard::KubernetesEntry &entry);

private:
    KubernetesDialog(const KubernetesEntry &present, const QStringList &takenNames, QWidget *parent);
    KubernetesEntry entry() const;
    void check();

    QComboBox *m_context;
    QLineEdit *m_namespace, *m_queue, *m_more;
    ColourLabel *m_contextError, *m_namespaceError, *m_queueError, *m_moreError;
    QLabel *m_contextHelp;
};

} // namespace trainyard
