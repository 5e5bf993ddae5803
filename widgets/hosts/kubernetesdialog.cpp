// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/kubernetesdialog.h"

#include "engine/client/kubeoptions.h"
#include "widgets/common/style.h"
#include "widgets/hosts/clusterfields.h"
#include "widgets/text/texts.h"

#include <QComboBox>
#include <QLineEdit>

namespace trainyard
{
namespace
{

QString kubeOptionError(const QString &line)
{
    const Result<QStringList> options = kubeOptions(line);
    return options ? QString() : errorText(options.error());
}

} // namespace

KubernetesDialog::KubernetesDialog(const QStringList &takenNames, QWidget *parent)
    : KubernetesDialog({}, takenNames, parent)
{
}

KubernetesDialog::KubernetesDialog(const KubernetesEntry &present, QWidget *parent)
    : KubernetesDialog(present, QStringList(), parent)
{
}

KubernetesDialog::KubernetesDialog(const KubernetesEntry &present, const QStringList &takenNames, QWidget *parent)
    : ClusterSetup({QStringLiteral("kube"), tr("Add a Kubernetes cluster"), tr("Change a Kubernetes cluster"),
                       present.name, takenNames},
        parent),
      m_context(new QComboBox), m_namespace(clusterField("kubeNamespace", tr("Namespace"), {})),
      m_queue(clusterField("kubeQueue", tr("Kueue queue"), present.queue)),
      m_more(clusterField("kubeMore", tr("Other options"), {})), m_contextError(clusterFieldError("kubeContextError")),
      m_namespaceError(clusterFieldError("kubeNamespaceError")), m_queueError(clusterFieldError("kubeQueueError")),
      m_moreError(clusterFieldError("kubeMoreError")), m_contextHelp(smallMutedLabel(tr("Asking kubectl…")))
{
    const KubeOptionParts parts = kubeOptionParts(present.options);
    m_context->setObjectName(QStringLiteral("kubeContext"));
    m_context->setAccessibleName(tr("Context"));
    m_context->setEditable(true);
    m_context->setInsertPolicy(QComboBox::NoInsert);
    m_context->lineEdit()->setAccessibleName(tr("Context"));
    m_context->lineEdit()->setPlaceholderText(tr("the current one of kubectl"));
    m_context->setEditText(parts.context);
    m_namespace->setText(parts.namespaceName);
    m_namespace->setPlaceholderText(tr("the one of the context"));
    m_queue->setPlaceholderText(tr("none"));
    m_more->setText(parts.more);
    m_more->setPlaceholderText(QStringLiteral("--kubeconfig=/home/ada/lab.yaml"));
    m_contextHelp->setObjectName(QStringLiteral("kubeContextHelp"));
    QLabel *queueHelp = smallMutedLabel(tr("The local queue that jobs go to, where the cluster has Kueue."));
    QLabel *moreHelp = smallMutedLabel(tr("Options of kubectl: --kubeconfig, --as and --request-timeout. Jobs run in "
                                          "images, and the cluster needs the JobSet controller."));
    for (QLabel *label : {m_contextHelp, queueHelp, moreHelp}) {
        label->setWordWrap(true);
    }
    addToClusterGrid(grid(), tr("Context"), m_context, {m_contextError, m_contextHelp});
    addToClusterGrid(grid(), tr("Namespace"), m_namespace, {m_namespaceError});
    addToClusterGrid(grid(), tr("Kueue queue"), m_queue, {m_queueError, queueHelp});
    addToClusterGrid(grid(), tr("Other options"), m_more, {m_moreError, moreHelp});
    finish(m_context);
    for (QLineEdit *field : {m_context->lineEdit(), m_namespace, m_queue, m_more}) {
        connect(field, &QLineEdit::textChanged, this, &KubernetesDialog::check);
    }
    connect(this, &ClusterSetup::nameChanged, this, &KubernetesDialog::check);
    connect(this, &ClusterSetup::saveClicked, this, [this] { Q_EMIT saveRequested(entry()); });
    check();
}

void KubernetesDialog::setContexts(const QStringList &names)
{
    const QString typed = m_context->currentText();
    m_context->clear();
    m_context->addItems(names);
    m_context->setCurrentIndex(-1); // the first one would be taken
    m_context->setEditText(typed);
    m_contextHelp->setText(names.isEmpty()
            ? tr("kubectl has no context on this computer yet. Get a kubeconfig file from the administrators of the "
                 "cluster, and save it as ~/.kube/config or name it below with --kubeconfig.")
            : tr("A context of kubectl on this computer: cluster, user and namespace."));
}

void KubernetesDialog::setContextsError(const QString &sentence) { m_contextHelp->setText(sentence); }

KubernetesEntry KubernetesDialog::entry() const
{
    return {name(),
        kubeOptionLine({m_context->currentText().trimmed(), m_namespace->text().trimmed(), m_more->text().trimmed()}),
        m_queue->text().trimmed()};
}

void KubernetesDialog::check()
{
    const QString context = kubeOptionError(kubeOptionLine({m_context->currentText().trimmed(), {}, {}}));
    const QString typed = m_namespace->text().trimmed(), queue = m_queue->text().trimmed();
    const QString space = typed.isEmpty() || checkQueueName(typed)
        ? QString()
        : tr("A namespace has at most 63 lower-case letters, digits and hyphens.");
    const Result<void> goodQueue = queue.isEmpty() ? Result<void>() : checkQueueName(queue);
    const QString line = m_more->text().trimmed();
    QString more = kubeOptionError(line);
    if (const KubeOptionParts parts = kubeOptionParts(line);
        more.isEmpty() && !(parts.context.isEmpty() && parts.namespaceName.isEmpty())) {
        more = tr("Write context and namespace into their own fields.");
    }
    sayBeside(m_context->lineEdit(), m_contextError, context);
    setFieldError(m_context, !context.isEmpty());
    sayBeside(m_namespace, m_namespaceError, space);
    sayBeside(m_queue, m_queueError, goodQueue ? QString() : errorText(goodQueue.error()));
    sayBeside(m_more, m_moreError, more);
    allowSaving(context.isEmpty() && space.isEmpty() && goodQueue && more.isEmpty());
}

} // namespace trainyard
